"""The kinds of code that RestrictedPython refuses, written anew, one program a kind: the gate refuses them all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fumehood.policies.gate import Gate
from fumehood.policies.profile import load_policy

TRY = "try:\n    print(1)\n"
KINDS = {
    "exec": 'exec("a = 1")',
    "eval as a value": "f = eval",
    "compile": 'compile("1", "x", "eval")',
    "import as a function": '__import__("os")',
    "builtins by name": "print(__builtins__)",
    "builtins in an f-string": 'f"{__builtins__}"',
    "builtins in a format spec": 'f"{1:{__builtins__}}"',
    "builtins by globals": 'globals()["__builtins__"]',
    "private attribute read": "import json\njson._default_encoder",
    "private attribute written": "import json\njson._x = 1",
    "private attribute added to": "import json\njson._x += 1",
    "private attribute deleted": "import json\ndel json._default_encoder",
    "private base class": "import json\nclass A(json._X):\n    pass",
    "private name imported": "from json import _default_decoder",
    "star import": "from json import *",
    "dunder as an alias": "import json as __builtins__",
    "dunder as a function": "def __import__(x):\n    return x",
    "dunder as a class": "class __loader__:\n    pass",
    "dunder as a parameter": "def f(*, __import__):\n    return __import__",
    "dunder as star arguments": "def f(*__import__):\n    pass",
    "dunder as keywords": "def f(**__import__):\n    pass",
    "dunder as a lambda's parameter": "(lambda __builtins__: 1)(2)",
    "dunder assigned": "__builtins__ = {}",
    "dunder unpacked": "a, __builtins__ = 1, 2",
    "dunder added to": "__builtins__ += 1",
    "dunder deleted": "del __builtins__",
    "dunder by walrus": "(__builtins__ := {})",
    "dunder in a loop": "for __builtins__ in [1]:\n    pass",
    "dunder in a comprehension": "[0 for __builtins__ in [1]]",
    "dunder in a with": 'with open("a") as __builtins__:\n    pass',
    "dunder of an error": TRY + "except Exception as __builtins__:\n    pass",
    "dunder of an error group": TRY + "except* ValueError as __builtins__:\n    pass",
    "dunder global": "def f():\n    global __builtins__\n    __builtins__ = {}",
    "dunder in a class": "class A:\n    __builtins__ = {}",
    "annotation that calls": 'x: __import__("os") = 1',
    "decorator": "@eval\ndef f():\n    pass",
    "getattr with a computed name": 'n = "__cl" + chr(97) + "ss__"\ngetattr(1, n)',
    "getattr over dir": "[getattr(1, n) for n in dir(1)]",
    "setattr": 'setattr(1, "x", 1)',
    "delattr": 'delattr(1, "x")',
    "vars": 'vars(1)["x"]',
    "format reads an attribute": '"{0.__class__}".format(1)',
    "format reads an item": '"{0[__x__]}".format({})',
    "format_map": '"{x}".format_map({"x": 1})',
    "format of the class": 'str.format("{0.__class__}", 1)',
    "string.Formatter": 'import string\nstring.Formatter().format("{0.a}", 1)',
    "generator frame": "(x for x in [1]).gi_frame",
    "generator delegate": "g = (x for x in [1])\ng.gi_yieldfrom",
    "coroutine frame": "async def f():\n    pass\nf().cr_frame",
    "coroutine awaits": "async def f():\n    pass\nf().cr_await",
    "async generator frame": "async def f():\n    yield 1\nf().ag_frame",
    "traceback frame": TRY + "except Exception as e:\n    e.__traceback__.tb_frame",
    "frame back": "x = 1\nx.f_back",
    "frame locals": "x = 1\nx.f_locals",
    "code": "(lambda: 0).__code__.co_code",
    "an image that is none": "from PIL import Image\nclass Image:\n    open = staticmethod(lambda p: p)\n"
                             "im = Image.open(open('t').read())\ng = im.format\nprint(g(1))",
    "error's object": TRY + "except AttributeError as e:\n    e.obj.y",
    "match reads an attribute": "match 1:\n    case object(__class__=c):\n        print(c)",
    "metaclass": "class M(type):\n    pass\nclass A(metaclass=M):\n    pass",
    "class from text": 'type("A", (), {})',
    "subclasses": "object.__subclasses__()",
    "mro": "int.mro()",
    "base": "int.__base__",
    "function globals": "def f():\n    pass\nf.__globals__",
    "function closure": "def f():\n    pass\nf.__closure__",
    "namespace": "def f():\n    pass\nf.__dict__",
    "bound self": "len.__self__",
    "getattribute": 'object.__getattribute__(1, "x")',
    "reduce": "(1).__reduce__()",
    "finaliser": "class A:\n    def __del__(self):\n        pass",
    "subclass hook": "class A:\n    def __init_subclass__(cls):\n        pass",
    "debugger": "breakpoint()",
}


@pytest.fixture(scope="module")
def default_gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gate]:
    gate = Gate(load_policy(), home=Path(tmp_path_factory.mktemp("home")))
    yield gate
    gate.close()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_kind_is_refused(kind: str, default_gate: Gate) -> None:
    verdict = default_gate.judge(KINDS[kind] + "\n")
    assert verdict.decision == "deny"
    assert not verdict.syntax_error


@pytest.mark.parametrize("program", [
    "class A:\n    def __init__(self, x):\n        self._x = x\n    def get(self):\n        return self._x\n"
    "print(A(1).get())",
    "async def f():\n    return 1\nimport asyncio\nprint(asyncio.run(f()))",
    "def f():\n    yield 1\nprint(list(f()))",
    "a = 1\ndef f():\n    global a\n    a += 1\nf()\nprint(a)",
    "import numpy as np\nprint(np.eye(2) @ np.eye(2))",
    'print("{0} {name}".format(1, name="x"), "%s" % 1, getattr("a", "upper")())',
])
def test_ordinary_code_that_restrictedpython_refuses_too_is_allowed(program: str, default_gate: Gate) -> None:
    assert [finding.rule for finding in default_gate.judge(program + "\n").findings] == []
