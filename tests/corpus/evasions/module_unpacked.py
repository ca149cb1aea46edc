import math, zipfile
a, b = math, zipfile
b.shutil.rmtree("x")
