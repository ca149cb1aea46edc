import json
open("".join(json.loads('["\\u002f", "etc"]')))
