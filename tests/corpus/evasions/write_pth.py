open("evil.pth", "w").write("import os")
