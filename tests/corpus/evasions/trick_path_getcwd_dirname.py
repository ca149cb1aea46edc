import os
print(os.listdir(os.path.dirname(os.path.dirname(os.getcwd()))))
