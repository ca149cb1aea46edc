import argparse
parser = argparse.ArgumentParser(description="Summarise")
parser.add_argument("--input", default="data.csv", help="the file")
parser.add_argument("--top", type=int, default=5)
args = parser.parse_args([])
print(args.input, args.top)
