import json
del json.dumps
