import shutil


class Robot:
    move = staticmethod(shutil.move)


Robot.move("a.txt", chr(47) + "tmp" + chr(47) + "a.txt")
