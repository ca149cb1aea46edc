import logging
logging.basicConfig(style="{", format="{args[0].__class__}")
