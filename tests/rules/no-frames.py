def rows():
    yield 1


g = rows()
# ruleid: no-frames
g.gi_frame.f_builtins["print"](1)
# ruleid: no-frames
frame = g.gi_frame
# ruleid: no-frames
back = frame.f_back
try:
    next(g)
except ValueError as error:
    # ruleid: no-frames
    print(error.with_traceback(None))


class Keep:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        # ruleid: no-frames
        return bool(tb.tb_frame)


# ruleid: no-frames
value = (lambda: 0).x.cell_contents
# ruleid: no-frames
names = rows.y.co_names

# ok: no-frames
total = sum(rows())
# ok: no-frames
frame = {"f_back": total}
