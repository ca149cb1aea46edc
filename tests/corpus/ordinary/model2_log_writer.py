from datetime import datetime


class Log:
    def __init__(self, filename="run.log"):
        self.filename = filename
        self.lines = 0

    def __call__(self, message):
        with open(self.filename, "a", encoding="utf-8") as file:
            print(f"{datetime.now():%H:%M:%S} {message}", file=file)
        self.lines += 1


log = Log()
log("started /daily/report")
log("done")
print(log.lines)
