import json
data = {"__typename": "User", "id": 3, "__class__": "x"}
print(json.dumps(data))
