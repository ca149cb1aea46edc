for t in ["{0.__class__}", "{0}"]:
    print(t.format(1))
