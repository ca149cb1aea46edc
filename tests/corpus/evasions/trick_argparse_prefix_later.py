import argparse
p = argparse.ArgumentParser()
p.fromfile_prefix_chars = "@"
p.add_argument("rows", nargs="*")
print(p.parse_args([chr(64) + "/etc/passwd"]))
