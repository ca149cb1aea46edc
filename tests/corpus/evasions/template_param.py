def render(t, x):
    return t.format(x)
render("{0.__class__}", 1)
