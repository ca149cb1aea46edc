# argparse: setattr of any name on any object
import argparse
class Json:
    def encode(self): return 1
import json
parser = argparse.ArgumentParser()
parser.add_argument("--x", dest="".join(["en", "code"]), type=lambda text: (lambda self, value: '"REACHED"'))
parser.parse_args(["--x", "1"], namespace=json.JSONEncoder)
print(json.dumps({1: 2}, indent=1) if False else json.JSONEncoder().encode({}))
