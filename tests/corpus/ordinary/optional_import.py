try:
    import pyarrow
except ImportError:
    pyarrow = None
if pyarrow is not None:
    print(pyarrow.__version__)
else:
    print("no pyarrow")
