import sys

# ruleid: no-stdin
age = int(input("age? "))
# ruleid: no-stdin
for line in sys.stdin:
    print(line)
# ruleid: no-stdin
rows = sys.stdin.read().splitlines()
# ruleid: no-stdin
data = open(0).read()
# ruleid: no-stdin
numbers = list(map(input, ["a"]))

# ok: no-stdin
inputs = {"input": 1}
# ok: no-stdin
first = inputs["input"]
# ok: no-stdin
text = open("rows.csv").read()
