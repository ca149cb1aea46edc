# ruleid: no-swallowed-errors
try:
    print(int("x"))
except:
    pass

# ruleid: no-swallowed-errors
try:
    print(int("x"))
except BaseException:
    print("?")

# ruleid: no-swallowed-errors
try:
    print(int("x"))
except Exception:
    pass

# ok: no-swallowed-errors
try:
    print(int("x"))
except ValueError as error:
    print(error)
