import logging
name = "/srv/app.log"
try:
    logging.basicConfig(filename=name)
except OSError as e:
    print("REACHED", e)
