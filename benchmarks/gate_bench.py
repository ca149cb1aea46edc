"""How long a verdict takes: milliseconds, median and p10 to p90, all options in each round so that the ratios hold.

    python benchmarks/gate_bench.py [ROUNDS]

"cold" is a new process with its imports done, the proof on disk, and the policy loaded from its files; "running" has a
core started ahead. Between verdicts the benchmark waits for the next core, as a model's thinking time would. One program of
60 lines is judged in each way; "others" are the ordinary programs of 45 to 75 lines from the tests, because what a verdict
takes depends on which rules have to look at a program.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fumehood.policies.canonical import canonicalise
from fumehood.policies.core import CANONICAL, ORIGINAL, find_semgrep
from fumehood.policies.disguise import variants
from fumehood.policies.facts import collect_facts
from fumehood.policies.gate import Gate
from fumehood.policies.leaks import check_paths
from fumehood.policies.profile import load_policy
from fumehood.policies.semgrep import Scanner
from fumehood.policies.source import check_text, parse_program
from fumehood.policies.tree import walk_program
from fumehood.policies.verdict import Finding

PROGRAM = '''import json
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd

matplotlib.use("Agg")
import matplotlib.pyplot as plt

SOURCE = Path("sales.csv")
TARGET = Path("output")


@dataclass
class Region:
    name: str
    total: float
    share: float


def load(path):
    frame = pd.read_csv(path, parse_dates=["date"])
    frame = frame.dropna(subset=["region", "amount"])
    frame["amount"] = frame["amount"].astype(float)
    frame["month"] = frame["date"].dt.to_period("M").astype(str)
    return frame


def by_region(frame):
    totals = frame.groupby("region")["amount"].sum().sort_values(ascending=False)
    whole = float(totals.sum())
    return [Region(str(name), float(value), float(value) / whole) for name, value in totals.items()]


def trend(frame):
    monthly = frame.groupby("month")["amount"].sum()
    x = np.arange(len(monthly))
    slope, intercept = np.polyfit(x, monthly.to_numpy(), 1)
    return monthly, float(slope), float(intercept)


def draw(monthly, slope, intercept):
    fig, ax = plt.subplots(figsize=(8, 4))
    ax.bar(monthly.index, monthly.values, label="sales")
    ax.plot(monthly.index, slope * np.arange(len(monthly)) + intercept, color="black", label="trend")
    ax.set_title(f"Sales by month, {len(monthly)} months")
    ax.legend()
    fig.tight_layout()
    fig.savefig(TARGET / "trend.png", dpi=120)
    plt.close(fig)


TARGET.mkdir(exist_ok=True)
frame = load(SOURCE)
regions = by_region(frame)
monthly, slope, intercept = trend(frame)
draw(monthly, slope, intercept)
print(json.dumps({"regions": {region.name: region.total for region in regions}, "slope": round(slope, 3)}))
'''

ORDINARY = Path(__file__).parents[1] / "tests" / "corpus" / "ordinary"
BARE = [sys.executable, "-I", "-S", "-c", "print(1)"]
BARE_MS = 9.0
"""What bare `python3` took for `print(1)` where the targets were set; where it takes longer, so may a verdict."""
TARGETS_MS = {"running: verdict": 15.0, "running: verdict, others": 15.0, "running: same program again": 2.0,
              "cold: both": 130.0}
COLD = """
import sys, time
from pathlib import Path
from fumehood.policies.gate import Gate
program = Path(sys.argv[1]).read_text()
started = time.perf_counter()
gate = Gate.load(home=Path(sys.argv[2]))
loaded = time.perf_counter()
verdict = gate.judge(program)
ended = time.perf_counter()
assert verdict.decision == "allow", verdict
print((loaded - started) * 1e3, (ended - loaded) * 1e3)
gate.close()
"""


def clock(work: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1e3


def others() -> list[str]:
    """Ordinary programs about as long as PROGRAM."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(ORDINARY.glob("*.py"))]
    return [text for text in texts if 45 <= text.count("\n") <= 75]


def tree_parts(program: str, gate: Gate) -> None:
    """All that happens in this process: bytes, parse, walk, facts, flow, canonical source."""
    assert not check_text(program)
    tree = parse_program(program)
    assert not isinstance(tree, Finding)
    _, names = walk_program(tree, gate.policy)
    collect_facts(tree, names, program)
    check_paths(tree)
    list(variants(tree))
    canonicalise(tree)


def main(rounds: int) -> None:
    home = Path(tempfile.mkdtemp(prefix="gate-bench-"))
    (home / "main.py").write_text(PROGRAM)
    policy = load_policy()
    gate = Gate(policy, home=home)
    proof = clock(lambda: gate.unavailable())
    assert gate.judge(PROGRAM).decision == "allow", gate.judge(PROGRAM)
    binary = find_semgrep()
    document = {"rules": [rule.definition for rule in policy.rule_set]}
    plain, command = Scanner(binary, document, use_core=True), Scanner(binary, document, use_core=False)
    tree = parse_program(PROGRAM)
    assert not isinstance(tree, Finding)
    files = {ORIGINAL: PROGRAM, CANONICAL: canonicalise(tree).text}
    times: dict[str, list[float]] = {}
    for number in range(rounds):
        again = f"{PROGRAM}# {number}\n"
        times.setdefault("bare python3", []).append(clock(lambda: subprocess.run(BARE, capture_output=True, check=True)))
        done = subprocess.run([sys.executable, "-c", COLD, str(home / "main.py"), str(home)], capture_output=True, text=True,
                              check=True).stdout.split()
        times.setdefault("cold: load the policy", []).append(float(done[0]))
        times.setdefault("cold: the first verdict", []).append(float(done[1]))
        times.setdefault("cold: both", []).append(float(done[0]) + float(done[1]))
        gate.warm()
        time.sleep(0.5)
        times.setdefault("running: verdict", []).append(clock(lambda again=again: gate.judge(again)))  # type: ignore[misc]
        for other in others():
            gate.warm()
            time.sleep(0.4)
            text = f"{other}# {number}\n"
            times.setdefault("running: verdict, others", []).append(clock(lambda text=text: gate.judge(text)))  # type: ignore[misc]
        times.setdefault("running: same program again", []).append(clock(lambda again=again: gate.judge(again)))  # type: ignore[misc]
        times.setdefault("of it in this process", []).append(clock(lambda again=again: tree_parts(again, gate)))  # type: ignore[misc]
        times.setdefault("semgrep-core, not started ahead", []).append(clock(lambda: plain.scan(files)))
        times.setdefault("semgrep scan (command line)", []).append(clock(lambda: command.scan(files)))
    base = statistics.median(times["semgrep scan (command line)"])
    print(f"{PROGRAM.count(chr(10))} lines, {len(others())} others, {len(policy.rule_set)} rules, {rounds} rounds, "
          f"Semgrep {binary.version}, proof once {proof:.0f} ms")
    for name, values in times.items():
        ordered = sorted(values)
        low, high = ordered[len(ordered) // 10], ordered[-1 - len(ordered) // 10]
        median = statistics.median(values)
        print(f"{name:34} {median:9.1f} ms   p10-p90 {low:.1f}-{high:.1f}   1/{base / median:.0f} of the command line")
    slower = statistics.median(times["bare python3"]) / BARE_MS
    for name, target in TARGETS_MS.items():
        median = statistics.median(times[name])
        print(f"{name}: {median:.1f} ms, at most {target:g}, here {target * slower:.1f}: "
              f"{'yes' if median <= target * slower else 'NO'}")
    for scanner in (plain, command):
        scanner.close()
    gate.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 11)
