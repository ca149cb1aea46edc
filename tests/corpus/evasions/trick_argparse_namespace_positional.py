import argparse, json
p = argparse.ArgumentParser()
p.add_argument("--x", dest="encode")
p.parse_args(["--x", "1"], json.JSONEncoder)
