import typing
class Mine:
    def _evaluate(self): pass
    def _eval_type(self): pass
kinds = typing.TypedDict("Kinds", {"a": "print('REACHED')"})
for ref in kinds.__annotations__.values():
    ref._evaluate({}, {}, frozenset())
