import functools
from typing import List
text = "".join(["print", "(1)"])
@functools.singledispatch
def f(x): ...
@f.register
def _(x: List[text]): ...
