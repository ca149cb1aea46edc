import shutil, os
open("a.txt", "w").write("x")
shutil.move("a.txt", os.sep + "tmp" + os.sep + "b.txt")
print("REACHED")
