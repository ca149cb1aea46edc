import argparse
import gc
import os
import shutil
import sys
import traceback
from datetime import datetime

parser = argparse.ArgumentParser(argument_default=argparse.SUPPRESS, formatter_class=argparse.RawTextHelpFormatter)
parser.add_argument("names", nargs=argparse.ZERO_OR_MORE)
here = os.path.dirname(os.path.realpath(__file__))
os.makedirs("reports/old", exist_ok=True)
with open(os.path.join(here, "reports", "a.txt"), "w") as file:
    file.write("1\n")
shutil.copytree("reports", "copies", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.tmp"))
with open("reports/a.txt", "rb") as source, open("b.txt", "wb") as target:
    shutil.copyfileobj(source, target)
print(datetime.fromtimestamp(os.path.getctime("b.txt")).year, os.path.islink("b.txt"), sys.platform, gc.isenabled())
os.unlink("b.txt")
os.rmdir("reports/old")
sys.set_int_max_str_digits(0)
print(len(str(2**20_000)), os.path.commonprefix(["ab", "ac"]))
try:
    print(1 / len(parser.parse_args([]).names))
except (ZeroDivisionError, AttributeError) as error:
    traceback.print_exception(error)
