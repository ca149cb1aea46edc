import argparse, json
p = argparse.ArgumentParser()
p.parse_known_args([], json.JSONDecoder)
