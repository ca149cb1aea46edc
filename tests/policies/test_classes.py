"""What class patterns read, and whose private names are whose."""

import ast

import pytest
from fumehood.policies.profile import Policy
from fumehood.policies.tree import walk_program

POINT = "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int\n    y: int\n"


def rules(policy: Policy, program: str) -> set[str]:
    return {finding.rule for finding in walk_program(ast.parse(program), policy)[0]}


@pytest.mark.parametrize("program", [
    f"{POINT}match Point(1, 2):\n    case Point(0, y) | Point(y, 0):\n        print(y)\n",
    "class Pair:\n    __match_args__ = ('left', 'right')\n    def __init__(self, left, right):\n        self.left = left\n"
    "        self.right = right\nmatch Pair(1, 2):\n    case Pair(a, b):\n        print(a, b)\n",
    "from collections import namedtuple\nP = namedtuple('P', 'x y')\nmatch P(1, 2):\n    case P(x, y):\n        print(x)\n",
    "match 5:\n    case int(n) | str(n):\n        print(n)\n",
    "import ast\nmatch ast.parse('1'):\n    case ast.Expression(body):\n        print(body)\n",
])
def test_patterns_over_fields_that_are_written_out(policy: Policy, program: str) -> None:
    assert rules(policy, program) == set()


@pytest.mark.parametrize("body", [
    "__match_args__ = (chr(95) + 'x',)", "__match_args__ = NAMES", "__match_args__ = ('gi_frame',)",
    "__match_args__ = ('y',)",
    "__match_args__ += ('y',)", "(__match_args__ := ('gi_frame',))", "for __match_args__ in NAMES: pass",
    "from string import digits as __match_args__", "def __match_args__(self): ...", "__match_args__: tuple = NAMES",
    "with open('a') as __match_args__: pass", "[__match_args__, a] = NAMES",
])
def test_match_args_are_names_of_own_fields(policy: Policy, body: str) -> None:
    program = f"NAMES = ['gi_' + 'frame']\nclass View:\n    x = 1\n    {body}\n"
    assert rules(policy, program) & {"computed-fields", "denied-dunder", "hook-method"}


@pytest.mark.parametrize("program", [
    "import pathlib\nmatch pathlib.Path('a'):\n    case pathlib.Path(x):\n        print(x)\n",
    "V = [object][0]\nmatch 1:\n    case V(x):\n        print(x)\n",
    "from collections import namedtuple\nP = namedtuple('P', ['tb_' + 'frame'])\n"
    "match 1:\n    case P(x):\n        print(x)\n",
    "from dataclasses import dataclass\n@dataclass\nclass V:\n    gi_frame: object\n"
    "match 1:\n    case V(x):\n        print(x)\n",
    "from abc import ABC\nclass V(ABC):\n    __match_args__ = ('_module',)\n    _module = 1\nV.register(object)\n"
    "match 1:\n    case V(x):\n        print(x)\n",
])
def test_patterns_over_anything_else(policy: Policy, program: str) -> None:
    assert rules(policy, program) & {"positional-pattern", "denied-attribute", "private-attribute"}


@pytest.mark.parametrize("program", [
    "class A:\n    def __init__(self, v):\n        self._v = v\n"
    "    def __lt__(self, other):\n        return self._v < other._v\n",
    "class N:\n    def __init__(self):\n        self._next = None\nn = N()\nn._next = N()\nwhile n:\n    n = n._next\n",
    "class A:\n    def _unit(self): ...\nclass B(A):\n    def show(self):\n        return super()._unit()\n",
    "from enum import Enum\nclass E(Enum):\n    A = 1\n    @classmethod\n"
    "    def _missing_(cls, value):\n        return cls.A\n",
    "from threading import Thread\nclass W(Thread):\n    def __init__(self):\n        self._rows = []\n",
])
def test_private_names_of_own_objects(policy: Policy, program: str) -> None:
    assert rules(policy, program) == set()


@pytest.mark.parametrize("program", [
    "class A:\n    _target = None\nfrom threading import Thread\nt = Thread()\nprint(t._target)\n",
    "class A:\n    def _evaluate(self): ...\ndef go(ref):\n    return ref._evaluate()\n",
    "import contextlib\nclass R(contextlib.redirect_stdout):\n    _stream = 'modules'\n",
    "import tempfile\nclass A:\n    def _rmtree(self): ...\nclass T(tempfile.TemporaryDirectory):\n"
    "    def go(self):\n        super()._rmtree('x')\n",
    "import tempfile\nBase = tempfile.TemporaryDirectory\nclass T(Base):\n    def _cleanup(self): ...\n",
    "import threading\nclass A:\n    _x = 1\nfor t in threading.enumerate():\n    print(t._x)\n",
])
def test_private_names_of_libraries(policy: Policy, program: str) -> None:
    assert rules(policy, program) == {"private-attribute"}
