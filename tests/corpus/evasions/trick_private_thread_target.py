import threading
class Mine:
    def _bootstrap(self): ...
t = threading.Thread(target=print)
t._bootstrap()
