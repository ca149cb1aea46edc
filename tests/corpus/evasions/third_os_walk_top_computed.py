import os
print(list(os.walk(top=chr(47) + "etc")))
