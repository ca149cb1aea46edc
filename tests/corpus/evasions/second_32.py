import operator as op
op.attrgetter("f_globals")(1)
