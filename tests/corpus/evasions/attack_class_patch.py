import json
type(json.JSONEncoder()).default = lambda self, o: 1
