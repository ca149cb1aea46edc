import json
print("REACHED", open(json.loads('"\\u002fetc\\u002fpasswd"')).readline())
