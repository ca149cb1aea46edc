import logging
h = logging.Manager.__init__.__globals__
