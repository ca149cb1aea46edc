import contextlib, csv
with contextlib.nullcontext(csv) as c:
    c.io.open_code("x")
