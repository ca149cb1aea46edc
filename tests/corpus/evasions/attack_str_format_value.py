templates = [str.format]
templates[0]("{0.__class__}", 1)
