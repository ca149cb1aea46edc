import threading
class Mine:
    def __init__(self):
        self._started = None
for t in threading.enumerate():
    print(t._started)
