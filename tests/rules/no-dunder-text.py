import statistics

# ruleid: no-dunder-text
print("{0.mean.__globals__}".format(statistics))
# ruleid: no-dunder-text
key = "__builtins__"
# ruleid: no-dunder-text
memory = "__array_interface__"
# ruleid: no-dunder-text
members = {"__reduce__": print}
# ruleid: no-dunder-text
joined = "__glo" + "bals__"
# ruleid: no-dunder-text
kind = type("T", (), {"__annotations__": {}})
# ruleid: no-dunder-text
text = "mean of {0.mean.__globals__[sys].path} and more"


def explain():
    # ok: no-dunder-text
    """Says that __globals__ and __builtins__ are not used here."""


# ok: no-dunder-text
if __name__ == "__main__":
    # ok: no-dunder-text
    print("sales__2024__q1_and more")
# ok: no-dunder-text
blank = "____"
# ok: no-dunder-text
column = "price__mean"
# ok: no-dunder-text
record = {"__typename": "User", "__class__": "x", "__version__": 1}
# ok: no-dunder-text
callable_ = hasattr(record, "__call__") and hasattr(record, "__getitem__")
# ruleid: no-dunder-text
held = getattr(record, "__call__")
# ok: no-dunder-text
skipped = name == "__init__.py"
# ruleid: no-dunder-text
made = {"__init__": print}
