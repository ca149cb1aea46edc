import json
open(json.__file__[0] + "etc/passwd")
