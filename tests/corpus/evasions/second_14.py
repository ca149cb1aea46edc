import json
f = json.JSONDecoder.decode.__func__
