import shutil
shutil.rmtree("data")
