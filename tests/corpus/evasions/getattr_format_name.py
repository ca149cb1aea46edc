getattr([], "%s" % "append")
