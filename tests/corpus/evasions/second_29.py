name = "eval"
for f in [eval][:1]:
    f("1")
