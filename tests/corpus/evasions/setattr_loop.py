for k in ["a"]:
    setattr(object(), k, 1)
