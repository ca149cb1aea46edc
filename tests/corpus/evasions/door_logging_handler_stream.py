import logging
h = logging.handlers if False else logging.StreamHandler()
print("REACHED", h.stream)
