import argparse
parser = argparse.ArgumentParser(fromfile_prefix_chars="@")
parser.add_argument("rows", nargs="*")
print("REACHED", parser.parse_args(["@/etc/passwd"]).rows[:1])
