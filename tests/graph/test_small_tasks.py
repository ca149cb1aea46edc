"""Forty small computing tasks: a good reply, or a good one after a look and a bad one; the right value in the expected
attempts."""

from typing import Any

import pytest

CSV = b"name,group,x\nann,a,1\nbob,b,2\ncem,a,3\ndan,b,4\neve,a,10\n"
READ = "import pandas as pd\nd = pd.read_csv('d.csv')\n"
GOOD: list[tuple[str, Any]] = [
    ("final_answer(sum(range(101)))", 5050),
    ("import math\nfinal_answer(math.factorial(25))", 15511210043330985984000000),
    ("from fractions import Fraction\nfinal_answer(str(Fraction(1, 3) + Fraction(1, 6)))", "1/2"),
    ("from decimal import Decimal\nfinal_answer(str(Decimal('0.1') + Decimal('0.2')))", "0.3"),
    ("import statistics\nfinal_answer(statistics.median([3, 1, 2]))", 2),
    (READ + "final_answer(int(d.x.sum()))", 20),
    (READ + "final_answer({str(k): int(v) for k, v in d.groupby('group').x.sum().items()})", {"a": 14, "b": 6}),
    (READ + "final_answer(str(d.loc[d.x.idxmax(), 'name']))", "eve"),
    (READ + "final_answer(round(float(d.x.std()), 6))", 3.535534),
    (READ + "final_answer(d.sort_values('x', ascending=False).name.head(2).tolist())", ["eve", "dan"]),
    ("import numpy as np\nfinal_answer(int(np.arange(10).sum()))", 45),
    ("import numpy as np\nfinal_answer(np.linalg.solve([[2.0, 0], [0, 4]], [2, 8]).tolist())", [1.0, 2.0]),
    ("import numpy as np\nfinal_answer(float(np.polyfit([0, 1, 2], [1, 3, 5], 1)[0].round(6)))", 2.0),
    ("from scipy import stats\nfinal_answer(round(float(stats.linregress([0, 1, 2], [1, 3, 5]).slope), 6))", 2.0),
    ("from scipy import integrate\nfinal_answer(round(integrate.quad(lambda x: x * x, 0, 3)[0], 6))", 9.0),
    ("from scipy import optimize\nfinal_answer(round(float(optimize.brentq(lambda x: x * x - 2, 0, 2)), 6))", 1.414214),
    ("import csv\nrows = list(csv.DictReader(open('d.csv')))\nfinal_answer(len(rows))", 5),
    ("import json\nprint(json.dumps({'a': [1, 2]}))", {"a": [1, 2]}),
    ("from datetime import date\nfinal_answer((date(2026, 3, 1) - date(2026, 2, 1)).days)", 28),
    ("import re\nfinal_answer(re.findall(r'\\d+', 'a1b22'))", ["1", "22"]),
    ("from collections import Counter\nfinal_answer(Counter('banana').most_common(1)[0][0])", "a"),
    ("import itertools\nfinal_answer(len(list(itertools.permutations(range(4)))))", 24),
    ("from functools import reduce\nfinal_answer(reduce(lambda a, b: a * b, range(1, 6)))", 120),
    ("def gcd(a, b):\n    return a if b == 0 else gcd(b, a % b)\nfinal_answer(gcd(84, 36))", 12),
    ("import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table t (x)')\n"
     "c.executemany('insert into t values (?)', [(1,), (2,)])\n"
     "final_answer(c.execute('select sum(x) from t').fetchone()[0])", 3),
    ("from dataclasses import dataclass\n\n@dataclass\nclass P:\n    x: int = 3\n\nfinal_answer(P().x)", 3),
    ("final_answer(None)", None),
    ("final_answer(False)", False),
    ("final_answer(0)", 0),
    ("print(2 ** 100)", 1267650600228229401496703205376),
]
LOOK = READ + "print(d.dtypes)"
MENDED: list[tuple[list[str], Any]] = [
    (["It should be about four.", "import math\nfinal_answer(math.isqrt(17))"], 4),
    (["print(1 / 0)", "rows = []\nfinal_answer(sum(rows) / len(rows) if rows else None)"], None),
    (["import os\nos.system('wc -l d.csv')", "final_answer(len(open('d.csv').read().splitlines()))"], 6),
    ([READ + "final_answer(int(frame.x.max()))", READ + "final_answer(int(d.x.max()))"], 10),
    (["final_answer(float('nan'))", "import statistics\nfinal_answer(statistics.pstdev([2, 4, 4, 4, 5, 5, 7, 9]))"], 2.0),
    (["def f(:\n    return 2", "def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nfinal_answer(f(15))"], 610),
    (["```bash\nwc -w d.csv\n```", "final_answer(max(len(line.split(',')) for line in open('d.csv')))"], 3),
    ([LOOK, READ + "final_answer(float(d['value'].mean()))", READ + "final_answer(float(d['x'].mean()))"], 4.0),
    ([LOOK, "import cv2\nfinal_answer(cv2.mean([1, 2])[0])", READ + "final_answer(float(d.x.median()))"], 3.0),
    ([LOOK, READ + "final_answer({'group': d.group.mode()[0]})", READ + "final_answer(int((d.group == 'a').sum()))"], 3),
]
"""Programs that do not deliver, or not what is wanted, before one that does; what is no program stands as the reply is."""


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_good_reply(bench: Any, code: Any, number: int) -> None:
    program, value = GOOD[number]
    outcome = bench.run([code(program)], files={"d.csv": CSV})
    assert outcome.status == "answered", outcome.message
    assert outcome.result == value
    assert type(outcome.result) is type(value)
    assert len(outcome.attempts) == 1


@pytest.mark.parametrize("number", range(len(MENDED)))
def test_good_reply_at_last(bench: Any, code: Any, number: int) -> None:
    replies, value = MENDED[number]
    said = [reply if reply.startswith(("It ", "```")) else code(reply) for reply in replies]
    outcome = bench.run(said, files={"d.csv": CSV}, result={"type": ["number", "null"]})
    assert outcome.status == "answered", outcome.message
    assert outcome.result == value
    assert len(outcome.attempts) == len(replies)
    assert len(bench.chat.prompts["program"]) == len(replies)
    assert [attempt.reason is None for attempt in outcome.attempts] == [False] * (len(replies) - 1) + [True]
