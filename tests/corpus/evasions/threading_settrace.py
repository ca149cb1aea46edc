import threading
threading.settrace(print)
