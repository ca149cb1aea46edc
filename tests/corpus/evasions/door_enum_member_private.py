import threading
class Mine:
    _target = None
def f(): pass
t = threading.Thread(target=f)
print("REACHED", t._target)
