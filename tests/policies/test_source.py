import gzip
import io
import warnings
import zipfile

import pytest
from fumehood.policies.source import MAX_BYTES, check_bytes, check_identifiers, check_text, normalise, parse_program
from fumehood.policies.verdict import Finding


def rules(findings: list[Finding]) -> list[str]:
    return [finding.rule for finding in findings]


def refused(program: str) -> Finding:
    result = parse_program(program)
    assert isinstance(result, Finding)
    return result


@pytest.mark.parametrize(("raw", "rule", "line"), [
    (b"x = 1 # \x00\nimport os\n", "control-character", 1),
    (b"# a comment\rimport os\n", "control-character", 1),
    (b"x = 1\nif 1:\n\x0c    y = 2\n", "control-character", 3),
    (b"x = '\x1b[2J'\n", "control-character", 1),
    ("x = 1\ny = '\u202e'\n".encode(), "control-character", 2),
    ("x = '\u200b'\n".encode(), "control-character", 1),
    ("x = 'a\u200db'\n".encode(), "control-character", 1),
    ("x = '\u200d\U0001f4bb \U0001f468\u200d'\n".encode(), "control-character", 1),
    ("x = '\u0645\u200ca'\n".encode(), "control-character", 1),
    ("x = '\u2028'\n".encode(), "control-character", 1),
    ("x = '\x85'\n".encode(), "control-character", 1),
    ("x = 1\n\ufeffy = 2\n".encode(), "control-character", 2),
    (b"# -*- coding: utf-7 -*-\n", "coding-cookie", 1),
    (b"#!/usr/bin/python\n# vim: set fileencoding=unicode_escape :\n", "coding-cookie", 2),
    (b"# coding: latin-1\n", "coding-cookie", 1),
    (b"x = 1\ny = '\xe9'\n", "not-utf-8", 2),
    (b"x = '\xed\xa0\x80'\n", "not-utf-8", 1),
    (b"a" * (MAX_BYTES + 1), "program-too-large", 0),
    (b"\xa7\x0d\x0d\n" + b"\x00" * 12, "not-a-text", 0),
    (gzip.compress(b"x"), "not-a-text", 0),
])
def test_bytes_that_python_and_scanners_read_differently_are_refused(raw: bytes, rule: str, line: int) -> None:
    findings = check_bytes(raw)
    assert rules(findings) == [rule]
    assert findings[0].line == line
    assert findings[0].fix


def test_an_archive_that_python_would_run_is_refused_alone_and_appended() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("__main__.py", "print(1)")
    assert check_bytes(archive.getvalue())
    assert check_bytes(b"import math\n# " + archive.getvalue())


@pytest.mark.parametrize("text", [
    "x = 1\n", "\tx = 1\n", "name = 'Zoë ☕'\n", "# coding: utf-8\nx = 1\n", "# -*- coding: UTF8 -*-\n",
    "x = 'a\u00a0b'\n", "x = '\U0001f468\u200d\U0001f4bb \u2764\ufe0f\u200d\U0001f525'\n",
    "x = '\u0645\u06cc\u200c\u062e'\n",
    "价格 = 1\n", "# we pay for coding: it is work\n" * 3, "x = 1\r\ny = 2\r\n",
])
def test_ordinary_text_passes(text: str) -> None:
    # The last comment line begins with a word that the cookie's pattern would take for an encoding.
    assert rules(check_text(text)) == (["coding-cookie"] if "coding: it" in text else [])


def test_a_comment_that_python_takes_for_a_cookie_is_refused_even_when_it_is_prose() -> None:
    with pytest.raises(SyntaxError, match="unknown encoding"):
        compile(b"# we pay for coding: it is work\n", "main.py", "exec")
    assert rules(check_text("# we pay for coding: it is work\n")) == ["coding-cookie"]


def test_a_lone_surrogate_is_a_finding_and_no_exception() -> None:
    finding = check_text("x = 1\ny = '\ud800'\n")[0]
    assert (finding.rule, finding.line) == ("control-character", 2)
    assert "\\ud800" in finding.fix


def test_a_persons_file_is_normalised_and_a_lone_carriage_return_stays() -> None:
    assert normalise(b"\xef\xbb\xbfx = 1\r\ny = 2\r\n") == b"x = 1\ny = 2\n"
    assert rules(check_bytes(normalise(b"x = 1\r\n# c\rimport os\r\n"))) == ["control-character"]


@pytest.mark.parametrize(("program", "line", "words"), [
    ("!pip install seaborn\nprint(1)\n", 1, ["!pip install", "installed"]),
    ("import json\n%matplotlib inline\n", 2, ["%matplotlib"]),
    ('rows = open("C:\\Users\\mara").read()\n', 1, ["unicodeescape", "forward slashes"]),
    ("print(“hi”)\n", 1, ["U+201C", "straight quote"]),
    ("x\u00a0=\u00a01\n", 1, ["U+00A0", "ordinary space"]),
    ("print 'total', 3\n", 1, ["print(...)"]),
    ("def f(:\n    pass\n", 1, ["not valid Python"]),
])
def test_text_that_is_not_python_says_where_and_what_to_write(program: str, line: int, words: list[str]) -> None:
    finding = refused(program)
    assert (finding.rule, finding.line) == ("syntax-error", line)
    for word in words:
        assert word in finding.message + finding.fix


@pytest.mark.parametrize("program", [
    "-" * 90_000 + "1", "not " * 20_000 + "1", "lambda:" * 12_000 + "1", "1 if 1 else " * 7_000 + "1",
    "a" + ".b" * 45_000,
    "a" + "[0]" * 30_000, "1" + "+1" * 45_000, "1" + "**1" * 30_000, "(" * 300 + ")" * 300,
    "if 1:pass\n" + "elif 1:pass\n" * 8_000,
    "f'" + "{f'" * 40, "{1:" * 100, "[" * 150, "x = " + "9" * 90_000,
])
def test_hostile_nesting_ends_in_a_finding(program: str) -> None:
    assert refused(program).severity == "ERROR"


def test_warnings_about_the_text_are_no_errors_even_where_warnings_are() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not isinstance(parse_program('import re\nprint(re.findall("\\d", "1"))\n'), Finding)


@pytest.mark.parametrize("program", [
    "\uff45xec('1')\n", "import \uff4fs\n", "\U0001d41e\U0001d42f\U0001d41a\U0001d425('1')\n", "x.\ufb01le\n",
    "d\u0430ta = 1\n",
])
def test_names_that_look_like_others_are_refused(program: str) -> None:
    assert rules(check_identifiers(program)) == ["look-alike-name"]


@pytest.mark.parametrize("program", ["größe = 1\n", "价格 = 1\n", "σ_x = 1\n", "Δx = 1\n", "цена = 1\n",
                                     "print('ｅxec')\n"])
def test_names_of_other_languages_pass(program: str) -> None:
    assert check_identifiers(program) == []
