import sys
print("warning: 3 rows skipped", file=sys.stderr)
sys.stdout.write("ok\n")
sys.stdout.flush()
