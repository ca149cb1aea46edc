import sys
m = sys.modules["os"]
