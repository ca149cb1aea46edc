f = lambda: __import__("os")
