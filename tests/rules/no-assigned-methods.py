def show(self, key):
    return key


class Table:
    # ruleid: no-assigned-methods
    __getitem__ = show
    # ruleid: no-assigned-methods
    __call__: object = show
    # ok: no-assigned-methods
    __slots__ = ("a",)
    # ok: no-assigned-methods
    __match_args__ = ("a",)
    # ok: no-assigned-methods
    __hash__ = None

    # ok: no-assigned-methods
    def __add__(self, other):
        return other

    # ok: no-assigned-methods
    __radd__ = __add__


# ruleid: no-assigned-methods
Table.__len__ = show
# ruleid: no-assigned-methods
__name__ = "x"
# ok: no-assigned-methods
__version__ = "1.0"
# ok: no-assigned-methods
getitem = show
# ok: no-assigned-methods
__copyright__ = "2024"
