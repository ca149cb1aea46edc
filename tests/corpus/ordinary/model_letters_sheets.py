import string

import pandas as pd

for n, letter in enumerate(string.ascii_uppercase[:3]):
    print(n, letter, ord(letter), chr(ord("a") + n))
groups = {chr(65 + n): n for n in range(3)}
for name, n in groups.items():
    pd.DataFrame({"n": [n]}).to_csv(f"group_{name}.csv")
alphabet = "".join(chr(c) for c in range(97, 123))
print(alphabet[::-1], "level" == "level"[::-1])
