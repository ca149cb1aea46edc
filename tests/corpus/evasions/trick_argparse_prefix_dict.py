import argparse
p = argparse.ArgumentParser(**{"fromfile_prefix_chars": "@"})
p.parse_args(["@data"])
