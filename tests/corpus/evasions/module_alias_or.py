import logging
lib = None or logging
lib.sys.exit()
