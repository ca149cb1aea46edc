from concurrent.futures.thread import types, weakref
print("REACHED", types.LambdaType, weakref.finalize)
