"""Paths that a program puts together: what only literals went into is followed; data may be part of a name."""

import ast

import pytest
from fumehood.policies.leaks import check_paths


def rules(program: str) -> set[str]:
    return {finding.rule for finding in check_paths(ast.parse(program))}


@pytest.mark.parametrize("program", [
    "for year in range(2020, 2024):\n    open(f'sales_{year}.csv')",
    "for name in ('a', 'b'):\n    open('out/' + name.lower().replace(' ', '_') + '.csv')",
    "import os\nopen(os.path.join('data', '_'.join(['a', 'b']) + '.csv'))",
    "import os\nhere = os.path.dirname(os.path.abspath(__file__))\nopen(os.path.join(here, 'a.csv'))",
    "from pathlib import Path\nhere = Path(__file__).resolve().parent\n(here / 'a.csv').read_text()",
    "from pathlib import Path\n(Path.cwd() / 'in' / 'a.csv').parent.mkdir()",
    "from pathlib import Path\nfor path in Path('.').rglob('*.csv'):\n"
    "    path.with_suffix('.json').write_text(path.read_text())",
    "import json\nfor row in json.load(open('index.json')):\n    open(row['file'])",
    "import pandas as pd\nfor name, part in pd.read_csv('a.csv').groupby('b'):\n    part.to_csv(f'{name}.csv')",
    "from datetime import date\nopen(date.today().strftime('%Y-%m-%d') + '.csv')",
    "import re\nfor title in ['C/C++', 'a b']:\n    open(re.sub(r'[^a-z]+', '-', title.lower()) + '.txt', 'w')",
    "for n in range(3):\n    open(f'sheet_{chr(65 + n)}.csv')",
    "open('%s_%02d.csv' % ('sales', 3))",
    "open('{}_{}.csv'.format('sales', 3))",
    "words = 'b/a'.split('/')\nprint(''.join(reversed('a/b')), chr(47), words)",
    "def load(name='a.csv'):\n    return open(name)\nload('b.csv')",
    "import sqlite3\nfor table in ['a', 'b']:\n    sqlite3.connect('x.db').execute(f'SELECT COUNT(*) FROM {table}')",
    "def name(part):\n    return f'{part}.csv'\nopen(name('a'))",
])
def test_names_that_programs_ordinarily_make_are_left_alone(program: str) -> None:
    assert rules(program) == set()


@pytest.mark.parametrize("program", [
    "open(chr(47) + 'etc')", "open('dwssap/cte/'[::-1])", "open('etc/x'.rjust(6, '/'))", "open('%cetc' % 47)",
    "open('|etc'.translate({124: 47}))", "open(f'{47:c}etc')", "open('{:c}etc'.format(47))", "open(f'{\"etc\":/>4}')",
    "import json\nopen(json.loads('\"\\\\u002fetc\"'))", "import base64\nopen(base64.b64decode('L2V0Yw=='))",
    "open(bytes([47, 101]).decode())", "open(bytes.fromhex('2f65').decode())", "open((47).to_bytes(1, 'big').decode())",
    "import string\nopen(string.punctuation[14] + 'etc')", "open(''.join(map(chr, [47, 101])))",
    "from urllib.parse import unquote\nopen(unquote('%2fetc'))", "open('/'.join(['', 'etc'][:2]))",
    "from pathlib import Path\nup = Path.cwd()\nwhile up.name:\n    up = up.parent\nup.iterdir()",
    "from pathlib import Path\nPath(__file__).resolve().parents[3].iterdir()",
    "import os\nos.listdir(os.path.dirname(os.getcwd()))", "import os\nos.rename('a', os.getcwd() + '-gone')",
    "class A:\n    def __init__(self):\n        self.top = chr(47)\nopen(A().top)",
    "def slash():\n    return chr(47)\nopen(slash() + 'etc')",
])
def test_a_path_that_only_code_can_spell_is_refused(program: str) -> None:
    assert rules(program) & {"computed-path", "path-outside"}


@pytest.mark.parametrize(("program", "shown"), [
    ("open('|etc|passwd'.replace('|', '/'))", "/etc/passwd"), ("open('x/etc'.lstrip('x'))", "/etc"),
    ("import os\nopen(os.sep + 'etc')", "/etc"), ("import re\nopen(re.sub('#', '/', '#etc'))", "/etc"),
    ("open('%s://%s' % ('http', 'a.example'))", "http://a.example"), ("open('x'.replace('x', '~') + '/a')", "~/a"),
    ("from os import sep as s\nopen(s.join(['', 'etc']))", "/etc"),
])
def test_what_can_be_worked_out_is_shown(program: str, shown: str) -> None:
    assert any(shown in finding.message for finding in check_paths(ast.parse(program)))


@pytest.mark.parametrize("program", ["open(int('1'), 'w')", "for n in range(9):\n    open(n)", "import io\nio.FileIO(1 + 2)",
                                     "import io as i\nn = len('abc')\ni.open(n)"])
def test_a_descriptor_is_refused_however_its_number_is_made(program: str) -> None:
    assert rules(program) == {"open-descriptor"}


@pytest.mark.parametrize("program", [
    "con.execute('ATT' + 'ACH ? AS x', ('a',))", "con.execute(''.join(['AT', 'TACH', ' ? AS a']))",
    "sql = 'VACUUM'\ncon.execute(sql + ' INTO ?', ('x',))", "con.executescript('tta'[::-1] + chr(97))",
])
def test_sql_that_opens_another_database_is_found_in_pieces(program: str) -> None:
    assert rules(program) == {"sql-outside"}
