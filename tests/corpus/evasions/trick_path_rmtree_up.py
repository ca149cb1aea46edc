import os, shutil
shutil.rmtree(os.path.dirname(os.getcwd()))
