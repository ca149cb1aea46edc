import typing
class Mine:
    _evaluate = None
    def go(self, ref):
        return ref._evaluate
text = "".join(["print", "(1)"])
Mine().go(typing.get_args(typing.List[text])[0])({}, {}, frozenset())
