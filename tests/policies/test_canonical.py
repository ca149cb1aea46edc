import ast
import sys
import textwrap

import pytest
from fumehood.policies.canonical import SENTINEL, CannotLower, canonicalise

LOWERED = {
    "mapping with rest": ("match d:\n    case {'k': v, **rest} if v > 1:\n        print(rest)\n", ["v", "rest",
                                                                                                   "v > 1",
                                                                                                   "print(rest)"]),
    "class pattern reads attributes": ("match m:\n    case object(os=engine):\n        pass\n", ["m.os", "engine"]),
    "dotted key": ("match d:\n    case {K.A: v}:\n        pass\n", ["K.A"]),
    "guard": ("match 1:\n    case n if exec('x'):\n        pass\n", ["exec('x')"]),
    "value and or pattern": ("match x:\n    case a.b | -1 | None | [1, *t]:\n        f()\n", ["a.b", "-1", "None",
                                                                                              "f()", "t = x"]),
    "starred subject": ("match *[exec('x')], 1:\n    case _:\n        pass\n", ["exec('x')"]),
    "call as subject once": ("match f():\n    case {'a': 1}:\n        pass\n", ["f()"]),
    "nested spec": ("x = f'{1:{exec(2)}}'\n", ["exec(2)", "format("]),
    "spec with conversion": ("x = f'{1:{exec(2)!r:.0}}'\n", ["exec(2)"]),
    "conversion and spec": ("x = f'{a!r:>{w}}'\n", ["format(a, (", "w"]),
    "string in string": ("x = f'{f\"{a}\"}'\n", ["format("]),
    "starred subscript": ("t = a[*b]\n", ["tuple(*b)"]),
    "starred value": ("x = *a, 2\nfor i in *a, 3:\n    pass\n", ["tuple(*a, 2)", "tuple(*a, 3)"]),
    "starred return": ("def f():\n    return *a, 4\n", ["tuple(*a, 4)"]),
    "parenthesised with": ("with (open('a') as f, open('b')):\n    pass\n", ["with open('a') as f, open('b'):"]),
    "comments and escapes": ("# nosemgrep\nx = '\\x73ys'  # nosem\n", ["'sys'"]),
    "look-alikes": ("ｅxec(1)\n", ["exec(1)"]),
}


def canonical_text(program: str) -> str:
    return canonicalise(ast.parse(textwrap.dedent(program))).text


@pytest.mark.parametrize(("program", "parts"), LOWERED.values(), ids=LOWERED.keys())
def test_what_semgrep_drops_is_written_so_that_it_reads_it(program: str, parts: list[str]) -> None:
    text = canonical_text(program)
    for part in parts:
        assert part in text
    assert "match " not in text
    assert "#" not in text
    ast.parse(text)


def test_the_last_line_is_the_sentinel_and_a_call_of_it_inside_does_not_count() -> None:
    canonical = canonicalise(ast.parse(f"{SENTINEL}()\nx = 1\n"))
    lines = canonical.text.splitlines()
    assert lines[-1] == f"{SENTINEL}()"
    assert canonical.sentinel_line == len(lines) == 3


def test_places_lead_back_to_the_program_as_written() -> None:
    program = "\n\n# comment\nx = [\n    1,\n    eval(2),\n]\nmatch x:\n    case [y] if eval(y):\n        print(y)\n"
    canonical = canonicalise(ast.parse(program))
    lines = canonical.text.splitlines()
    first = next(index for index, line in enumerate(lines, 1) if "eval(2)" in line)
    assert canonical.origin(first, lines[first - 1].index("eval(2)") + 1) == (6, 5)
    guard = next(index for index, line in enumerate(lines, 1) if "eval(y)" in line)
    assert canonical.origin(guard, 0)[0] == 9


def test_earlier_programs_come_first_and_are_told_apart() -> None:
    canonical = canonicalise(ast.parse("s('id')\n"), [ast.parse("import os\ns = os.system\n")])
    assert canonical.text.splitlines() == ["import os", "s = os.system", "s('id')", f"{SENTINEL}()"]
    assert canonical.first_line == 3
    assert canonical.origin(3, 1) == (1, 1)


def test_growth_is_bounded() -> None:
    cases = "".join(f"    case [{{'k{i}': _}}]:\n        pass\n" for i in range(2_000))
    subject = "[" + "1, " * 20_000 + "]"
    assert len(canonical_text(f"match {subject}:\n{cases}")) < 400_000


def test_what_cannot_be_written_is_said() -> None:
    deep = ast.parse("x = " + "-" * 900 + "1")
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(500)
    try:
        with pytest.raises(CannotLower, match="nested too deeply"):
            canonicalise(deep)
    finally:
        sys.setrecursionlimit(before)
