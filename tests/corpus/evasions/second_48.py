import sys as s
t = s.modules
