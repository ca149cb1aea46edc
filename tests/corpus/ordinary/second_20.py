import argparse
import logging
import sys
logger = logging.getLogger("job")
def main(argv=None):
    parser = argparse.ArgumentParser(description="x")
    parser.add_argument("--n", type=int, default=3)
    args = parser.parse_args(argv or [])
    logger.warning("n=%s", args.n)
    return args.n
if __name__ == "__main__":
    print(main())
    sys.exit(0)
