from operator import attrgetter
attrgetter("__class__.__base__")(1)
