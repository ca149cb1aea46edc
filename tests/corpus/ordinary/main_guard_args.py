import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--top", type=int, default=5)
args = parser.parse_args([])
print(args.top)
