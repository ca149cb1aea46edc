import logging

logging.basicConfig(format="{message:{args[0].width}}", style="{")
logging.warning("x", 1)
