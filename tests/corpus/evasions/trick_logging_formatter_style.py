import logging
class Brace(logging.Formatter):
    def __init__(self):
        super().__init__("{msg.x}", None, chr(123))
