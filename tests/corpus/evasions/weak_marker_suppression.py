import os  # nosemgrep
os.system("id")  # nosem
