import os
for base, _, files in os.walk("/"):
    print(base)
