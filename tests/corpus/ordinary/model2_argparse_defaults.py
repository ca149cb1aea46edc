import argparse
from pathlib import Path


def build():
    parser = argparse.ArgumentParser(description="Summarise a file", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("path", nargs="?", type=Path, default=Path("data.csv"))
    parser.add_argument("-n", "--rows", type=int, default=5, choices=range(1, 100), metavar="N")
    parser.add_argument("--verbose", action="store_true")
    return parser


args = build().parse_args([])
print(args.path.name, args.rows, args.verbose)
args, rest = build().parse_known_args()
print(args.path.exists(), rest)
