"""A search guided by coverage for programs that Python runs and the gate does not judge. Not part of the tests:

    .venv/bin/uv sync --inexact --group fuzz
    .venv/bin/python tests/policies/fuzz_gate.py -max_total_time=600

It begins with the corpus, changes bytes, and puts something that must be denied among the statements of what came out. A
text that compiles must be judged: denied for it, and not by falling over. libFuzzer's own options may follow.
"""

import ast
import sys
import tempfile
import warnings
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["fumehood.policies"]):
    from fumehood.policies.canonical import SENTINEL, CannotLower, canonicalise
    from fumehood.policies.disguise import variants
    from fumehood.policies.facts import collect_facts
    from fumehood.policies.leaks import check_paths
    from fumehood.policies.profile import load_policy
    from fumehood.policies.source import check_identifiers, check_text, parse_program
    from fumehood.policies.tree import walk_program
    from fumehood.policies.verdict import Finding

CORPUS = Path(__file__).parents[1] / "corpus"
POLICY = load_policy()
PAYLOADS = ["eval('1')\n", "import os\nos.system('id')\n", "open('/etc/passwd').read()\n", "__import__('socket')\n",
            "getattr(object, '__sub' + 'classes__')()\n", "import subprocess as frame\nframe.run(['id'])\n",
            "class Row:\n    value = exec\nRow.value('1')\n", "import pickle\npickle.loads(b'')\n"]
warnings.simplefilter("ignore")


def one(data: bytes) -> None:
    """One input: its first two bytes choose the payload and where it stands, the rest is a program."""
    if len(data) < 3:
        return
    text = data[2:].decode("utf-8", "ignore")
    payload = PAYLOADS[data[0] % len(PAYLOADS)]
    program = placed(text, payload, data[1])
    if program is None or check_text(program):
        return
    try:
        compile(program, "fuzzed", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return
    tree = parse_program(program)
    if isinstance(tree, Finding):
        return  # refused, which is a judgement
    try:
        findings, names = walk_program(tree, POLICY)
        findings += collect_facts(tree, names, program)[1] + check_paths(tree) + check_identifiers(program)
        for plain in variants(tree):
            found, meant = walk_program(plain, POLICY)
            findings += found + collect_facts(plain, meant, program)[1] + check_paths(plain)
    except RecursionError:
        return
    if not any(finding.severity == "ERROR" for finding in findings):
        raise AssertionError(f"not denied:\n{program}")
    try:
        canonical = canonicalise(tree).text
    except CannotLower:
        return
    if not canonical.endswith(f"{SENTINEL}()\n"):
        raise AssertionError(f"the canonical source is not whole:\n{program}")
    ast.parse(canonical)


def placed(text: str, payload: str, choice: int) -> str | None:
    """The payload as whole statements between two lines at the margin; null where the text is no Python around it."""
    lines = text.split("\n")
    margins = [number for number, line in enumerate(lines) if line and not line[0].isspace()] or [0]
    at = margins[choice % len(margins)]
    program = "\n".join([*lines[:at], payload.rstrip("\n"), *lines[at:]]) + "\n"
    try:
        statements = ast.parse(program).body
        wanted = [ast.dump(node) for node in ast.parse(payload).body]
        dumped = [ast.dump(node) for node in statements]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    ends = [number for number, node in enumerate(statements)
            if isinstance(node, ast.Raise | ast.Assert | ast.While)]
    place = next((number for number in range(len(dumped)) if dumped[number:number + len(wanted)] == wanted), None)
    # What stands behind an end of the program never runs, and a name that is bound anew means something else.
    return None if place is None or any(number < place for number in ends) else program


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="fumehood-fuzz-") as folder:
        for number, path in enumerate(sorted(CORPUS.rglob("*.py"))):
            (Path(folder) / path.name).write_bytes(bytes([number % 256, number // 3 % 256]) + path.read_bytes())
        atheris.Setup([*sys.argv, "-max_len=6000", "-timeout=60", folder], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
