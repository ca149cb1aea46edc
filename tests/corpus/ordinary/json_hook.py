import json
class Enc(json.JSONEncoder):
    def default(self, o):
        return str(o)
print(json.dumps({"a": {1}}, cls=Enc), json.loads('{"a": 1}', object_hook=lambda d: d))
