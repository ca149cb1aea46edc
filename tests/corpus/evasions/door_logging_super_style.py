import logging
class Plain(logging.Formatter):
    def __init__(self, text):
        super().__init__(text, None, chr(123))
record = logging.makeLogRecord({"msg": "x", "args": None, "thing": print})
mark = "_" * 2
print("REACHED", Plain("{thing." + mark + "self" + mark + "}").format(record))
