import ast
from typing import Any

import pytest
from fumehood.policies.collect import collect_names
from fumehood.policies.facts import collect_facts
from fumehood.policies.flow import find_leaks, read_flows
from fumehood.policies.needs import plan_findings
from fumehood.policies.verdict import Facts, Needs


def facts(program: str) -> Facts:
    tree = ast.parse(program)
    return collect_facts(tree, collect_names([tree]), program)[0]


def leaks(program: str) -> list[str]:
    return sorted({leak.text for leak in find_leaks(read_flows([ast.parse(program)]))})


def test_the_facts_name_what_a_program_touches() -> None:
    found = facts(
        "import pandas as pd\nfrom pathlib import Path\nimport matplotlib.pyplot as plt\nout = 'output/c.png'\n"
        "df = pd.read_csv('a.csv')\nwith open('notes.txt', encoding='utf-8') as fh:\n    fh.read()\n"
        "with open('b.txt', 'w') as fh:\n    fh.write('x')\nPath('d') / 'e.json'\n(Path('d') / 'f.json').write_text('{}')\n"
        "plt.savefig(out)\nurl = 'https://example.org/x'\ntools.fetch('k')\nother = 'data/raw.csv'\n")
    assert found.imports == ["matplotlib.pyplot", "pandas", "pathlib"]
    assert found.reads == ["a.csv", "notes.txt"]
    assert found.writes == ["b.txt", "d/f.json", "output/c.png"]
    assert found.hosts == ["example.org"]
    assert found.tools == ["fetch"]
    assert "data/raw.csv" in found.paths
    assert {"pandas.read_csv", "matplotlib.pyplot.savefig"} <= set(found.calls)
    assert (found.lines, found.nesting) == (15, 1)


@pytest.mark.parametrize(("program", "kinds"), [
    ("print(1 + 2)\n", {"scalar"}),
    ("import pandas as pd\npd.read_csv('a').groupby('x').sum()\n", {"table"}),
    ("import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig('a.png')\n", {"chart"}),
    ("import numpy as np\nnp.random.default_rng(1).normal(size=9)\n", {"simulation"}),
    ("from scipy.optimize import curve_fit\ncurve_fit(f, x, y)\n", {"fitting"}),
    ("import json, csv\nrows = list(csv.reader(open('a.csv')))\njson.dump(rows, open('a.json', 'w'))\n", {"table",
                                                                                                          "file_conversion"}),
])
def test_the_kind_of_computation_is_seen(program: str, kinds: set[str]) -> None:
    assert set(facts(program).kinds) == kinds


@pytest.mark.parametrize(("program", "cost"), [
    ("for x in rows:\n    print(x)\n", "low"),
    ("while True:\n    if done():\n        break\n", "low"),
    ("while True:\n    step()\n", "medium"),
    ("for a in x:\n    for b in x:\n        for c in x:\n            pass\n", "medium"),
    ("x = [0] * 50_000_000\n", "medium"),
    ("x = 10 ** 18\ny = 2 ** 100\nz = 6.02e23 * 1_000_000\n", "low"),
    ("x = 10 ** (10 ** 10)\n", "high"),
    ("x = 9 ** 9 ** 9\n", "high"),
    ("for i in range(2_000_000_000):\n    pass\n", "high"),
    ("x = 1 << 64\n", "low"),
    ("x = 1 << 10 ** 10\n", "high"),
    ("for a in x:\n for b in x:\n  for c in x:\n   for d in x:\n    pass\n", "high"),
    ("for a in x:\n for b in x:\n  for c in (-1, 0, 1):\n   for d in range(-1, 2):\n    pass\n", "low"),
    ("for a in x:\n for b in x:\n  for c in 1, 2:\n   for d in 'ab':\n    for e in 3,:\n     for f in x:\n      a", "high"),
    ("for a in range(3):\n while True:\n  step()\n", "high"),
    ("for a in x:\n for b in range(17):\n  for c in [*x]:\n   for d in range(-99, 3):\n    pass\n", "high"),
])
def test_the_cost_is_guessed_from_loops_and_sizes(program: str, cost: str) -> None:
    assert facts(program).cost == cost


@pytest.mark.parametrize(("program", "text"), [
    ("open('/etc/passwd')", "/etc/passwd"), ("p = '/srv'\nq = p + '/x'\nopen(q)", "/srv"),
    ("def f(name):\n    return open(name)\nf('/srv/x')", "/srv/x"), ("def f():\n    return '/srv/x'\nopen(f())",
                                                                     "/srv/x"),
    ("d = {'p': '/srv/x'}\nopen(d['p'])", "/srv/x"), ("for p in ['a', '/srv/x']:\n    open(p)", "/srv/x"),
    ("xs = []\nxs.append('/srv/x')\nopen(xs[0])", "/srv/x"),
    ("class C:\n    p = '/srv/x'\n    def go(self):\n        open(self.p)", "/srv/x"),
    ("o = open\no('/srv/x')", "/srv/x"), ("from pathlib import Path\nPath('.') / '/srv/x'", "/srv/x"),
    ("open(f'/srv/{x}')", "/srv/"),
    ("open('/' + 'srv')", "/"), ("import pandas as pd\npd.read_csv('https://example.org/a.csv')",
                                 "https://example.org/a.csv"),
    ("match '/srv/x':\n    case p:\n        open(p)", "/srv/x"), ("def f(p='/srv/x'):\n    open(p)", "/srv/x"),
    ("if (p := '/srv/x'):\n    open(p)", "/srv/x"), ("open('../up.csv')", "../up.csv"), ("open('~/x')", "~/x"),
    ("from pathlib import Path as P\nP('/srv/x')", "/srv/x"), ("from io import open as o\np = o\np('/srv/x')",
                                                               "/srv/x"),
    ("open('' + '/srv/x')", "/srv/x"), ("open(base + '/../x')", "/../x"), ("open(f'{base}/../x')", "/../x"),
])
def test_a_path_is_followed_to_where_it_is_opened(program: str, text: str) -> None:
    assert text in leaks(program)


@pytest.mark.parametrize("program", [
    "pages = ['/home', '/about']\nprint(pages)", "s = 'a/b'.split('/')\nopen('/'.join(s)[1:] if 0 else 'x')",
    "line.startswith('/api')\nopen('a.csv')", "urls = ['https://example.org']\nopen('a.csv')", "open('data/a.csv')",
    "open('a..b.csv')", "from pathlib import Path\nPath('/srv/a.csv').suffix",
    "folder = 'data'\nopen(folder + '/a.csv')", "for n in names:\n    open(f'{n}/x.csv')", "open(f'{base}/{name}.csv')",
    "text = 'see https://example.org'\nopen('a')",
    "open('report.txt', 'w').write('/home/x is full')",
])
def test_paths_that_are_data_are_left_alone(program: str) -> None:
    assert leaks(program) == []


@pytest.mark.parametrize(("has", "needs", "rules"), [
    ({"imports": ["pandas.api", "math", "json"]}, {"imports": ["pandas"]}, set()),
    ({"imports": ["pandas"]}, {"imports": []}, {"plan-import"}),
    ({"imports": ["pandas"]}, {}, set()),
    ({"reads": ["data/a.csv"]}, {"inputs": ["data"]}, set()),
    ({"reads": ["./a.csv"]}, {"inputs": ["a.csv"]}, set()),
    ({"reads": ["b.csv"]}, {"inputs": ["a.csv"]}, {"plan-input"}),
    ({"reads": ["b.csv"], "writes": ["b.csv"]}, {"inputs": []}, set()),
    ({"writes": ["output/x.png"]}, {"outputs": ["x.png"]}, set()),
    ({"writes": ["output/y.png"]}, {"outputs": ["x.png"]}, {"plan-output"}),
    ({"tools": ["fetch"]}, {"tools": []}, {"plan-tool"}),
])
def test_facts_are_compared_with_the_plan(has: dict[str, Any], needs: dict[str, Any], rules: set[str]) -> None:
    found = plan_findings(Facts(**has), Needs(**needs))
    assert {finding.rule for finding in found if finding.severity == "ERROR"} == rules
