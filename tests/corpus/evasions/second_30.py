try:
    raise Exception(eval)
except Exception as e:
    e.args[0]("1")
