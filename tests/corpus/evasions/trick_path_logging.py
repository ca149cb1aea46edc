import logging
logging.basicConfig(filename="/var/tmp/x.log")
