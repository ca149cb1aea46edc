import os
import sys

import pandas as pd

INPUT = "data.csv"
OUTPUT_DIR = "output"


def main():
    if not os.path.exists(INPUT):
        print(f"missing {INPUT}", file=sys.stderr)
        return 1
    os.makedirs(OUTPUT_DIR, exist_ok=True)
    df = pd.read_csv(INPUT)
    out = os.path.join(OUTPUT_DIR, os.path.basename(INPUT).replace(".csv", "_summary.csv"))
    df.describe().to_csv(out)
    print("wrote", out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
