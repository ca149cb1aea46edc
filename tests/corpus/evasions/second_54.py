import os
x = [os.remove, os.putenv]
