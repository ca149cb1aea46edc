import json
total = 0
def outer(json=None):
    def add(step):
        global total
        total += step
        return json
    add(1)
    return add(2)
def load(text):
    import json
    try:
        return json.loads(text)
    except ValueError as error:
        return str(error)
vars = ["a", "b"]
try:
    print(load("[1, 2]"), outer(), total)
except KeyError as error:
    print(error)
print([name for name in vars], json.dumps(vars))
