import traceback
try:
    1 / 0
except ZeroDivisionError as e:
    print("error:", e, type(e).__name__, e.args)
    traceback.print_exc()
