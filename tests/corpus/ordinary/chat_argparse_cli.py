#!/usr/bin/env python3
"""Summarise a CSV column."""
import argparse
import csv
import statistics as st
import sys


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", default="data.csv", help="CSV file")
    parser.add_argument("-c", "--column", default="value")
    parser.add_argument("--trim", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args(argv)


def main(argv=None) -> int:
    args = parse_args(argv)
    try:
        with open(args.input, newline="", encoding="utf-8") as fh:
            values = sorted(float(r[args.column]) for r in csv.DictReader(fh) if r[args.column])
    except FileNotFoundError:
        print(f"no such file: {args.input}", file=sys.stderr)
        return 2
    except KeyError as e:
        print(f"no column {e}", file=sys.stderr)
        return 3
    cut = int(len(values) * args.trim)
    values = values[cut:len(values) - cut] if cut else values
    print(f"n={len(values)} mean={st.mean(values):.3f} median={st.median(values):.3f} sd={st.stdev(values):.3f}")
    if args.verbose:
        print(st.quantiles(values, n=10))
    return 0


if __name__ == "__main__":
    sys.exit(main([]))
