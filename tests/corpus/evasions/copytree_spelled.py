import shutil

shutil.copytree(chr(47) + "etc", "copy")
