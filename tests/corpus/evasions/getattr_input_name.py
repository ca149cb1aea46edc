import json
name = json.load(open("n.json"))["n"]
getattr([], name)
