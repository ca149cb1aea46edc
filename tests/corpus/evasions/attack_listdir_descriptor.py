import os
print(os.listdir(int("3")))
