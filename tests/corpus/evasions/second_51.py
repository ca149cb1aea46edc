import os
os.rename("/etc/passwd", "x")
