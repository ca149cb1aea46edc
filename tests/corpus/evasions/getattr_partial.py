from functools import partial
partial(getattr, [])("append")
