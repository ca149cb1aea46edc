import uuid
def f():
    u = uuid
    return u.os.environ
print(f())
