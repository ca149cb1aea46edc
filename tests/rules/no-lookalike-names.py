import math

# ruleid: no-lookalike-names
ｅxec("print(1)")
# ruleid: no-lookalike-names
𝐞𝐯𝐚𝐥("1")

# ok: no-lookalike-names
größe = math.pi
# ok: no-lookalike-names
text = "ＡＢＣ"
# ok: no-lookalike-names
名前 = "x"
# ruleid: no-lookalike-names
math.ｐi
