import base64

# ruleid: no-exec
exec("print(1)")
# ruleid: no-exec
exec(base64.b64decode("cHJpbnQoMSk="))
# ruleid: no-exec
exec(*["print(1)"])
# ruleid: no-exec
go = exec


# ruleid: no-exec
@exec
@"print(1)".format
def formula():
    return 0


class Table:
    # ruleid: no-exec
    __class_getitem__ = exec


# ruleid: no-exec
for run in (print, exec):
    run("1")
# ruleid: no-exec
label = f"{exec('1')}"

# ok: no-exec
executor = "exec"
# ok: no-exec
plan = {"exec": 1}


class Job:
    # ok: no-exec
    def exec(self):
        return 1


# ok: no-exec
Job().exec()
