"""A thing picked out of what is written out beside it is judged as itself."""

import ast

import pytest
from fumehood.policies.disguise import variants
from fumehood.policies.leaks import check_paths
from fumehood.policies.profile import Policy
from fumehood.policies.tree import walk_program


@pytest.mark.parametrize(("program", "plain"), [
    ("[open][0]('a')", ["open('a')"]), ("(lambda: open)()('a')", ["open('a')"]), ("(f := open)('a')", ["open('a')"]),
    ("(None or open)('a')", ["None('a')", "open('a')"]), ("{'k': open}.get('k', print)('a')", ["open('a')", "print('a')"]),
    ("(open if x else print)('a')", ["open('a')", "print('a')"]), ("open(['a', 'b'][1])", ["open('a')", "open('b')"]),
    ("(p or q).read_text()", ["p.read_text()", "q.read_text()"]), ("open((lambda: 'a')())", ["open('a')"]),
    ("[[open]][0][0]('a')", ["open('a')"]),
])
def test_each_option_once(program: str, plain: list[str]) -> None:
    assert [ast.unparse(tree) for tree in variants(ast.parse(program))] == plain


@pytest.mark.parametrize("program", [
    "x = a if b else c\nprint(x or 'none', rows[0], table['k'], names.get('k'))", "if (n := len(rows)) > 1:\n    print(n)",
    "label = ['a', 'b'][number]\nopen(path or 'a.csv')", "print(max(rows, key=lambda row: row[1]))",
])
def test_ordinary_choices_have_no_variants(program: str) -> None:
    assert list(variants(ast.parse(program))) == []


@pytest.mark.parametrize("program", [
    "import functools\n[functools.update_wrapper][0](print, len, ('__self__',))",
    "import pandas as pd\ndf = pd.DataFrame()\n(df or df).agg('mean')\n(df if df else df).agg(['to_pickle'][0])",
    "import matplotlib.pyplot as plt\n(plt.switch_backend if 1 else 0)('module://x')",
    "import numpy as np\n{'k': np.load}.get('k')('a', None, True)",
])
def test_doors_behind_a_choice(policy: Policy, program: str) -> None:
    tree = ast.parse(program)
    assert any(finding.severity == "ERROR" for plain in variants(tree) for finding in walk_program(plain, policy)[0])


@pytest.mark.parametrize("program", ["[open][0](chr(47) + 'x')",
                                     "import os\n(os.listdir or print)(os.path.dirname(os.getcwd()))"])
def test_paths_behind_a_choice(program: str) -> None:
    assert any(check_paths(plain) for plain in variants(ast.parse(program)))
