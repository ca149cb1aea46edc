# a private method of a library object, since a class of the program has one of that name
import typing
class Mine:
    def _evaluate(self): pass
text = "".join(["print('REACHED', __imp", "ort__('os').getpid())"])
ref, = typing.get_args(typing.List[text])
ref._evaluate({}, {}, frozenset())
