import os
jobs = [os.execv]
jobs[0]("/bin/sh", ["sh"])
