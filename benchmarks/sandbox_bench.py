"""The sandbox beside bare `python3` and beside plain docker-py, in one run: ratios, since machines differ and are busy.

    python benchmarks/sandbox_bench.py [--rounds N] [--callers N] [--engines bubblewrap,docker] [--json]

All run the same two programs, fixed below: `print(1)`, and a 10,000-row CSV read and grouped by pandas. `fumehood` is a
Session: its input, where it has one, copied in, run under all walls with the kernel's witness, and the checked answer;
cold, or from a pool.
`docker-py` is what its manual shows, on the same image with the same hardening. Taking apart counts for nobody.
"""

import argparse
import datetime
import hashlib
import json
import marshal
import os
import platform
import re
import statistics
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

import docker
from docker.types import LogConfig
from fumehood.sandbox.boot import runner_sources
from fumehood.sandbox.docker import DockerEngine
from fumehood.sandbox.docker_sandbox import DockerSandbox
from fumehood.sandbox.engine import Engine
from fumehood.sandbox.engines import engine_named
from fumehood.sandbox.environment import find_environment
from fumehood.sandbox.floor import USER, seccomp_profile
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import InputFile, Manifest
from fumehood.sandbox.pool import HEAVY, Pool
from fumehood.sandbox.sandbox import start
from fumehood.sandbox.session import Session

ROWS = 10_000
PROGRAMS = {
    "print": "print(1)",
    "pandas": ("import pandas as pd\nframe = pd.read_csv('sales.csv')\n"
               "print(frame.groupby('region')['amount'].sum().round(2).to_json())"),
}
LIMITS = Limits()
THREADS = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS")}
QUIET_S = 0.15
"""Before a warm run, so that taking the last sandbox apart counts for nobody."""
BARE_MS = {"print": 9.0, "pandas": 230.0}
"""What bare `python3` took for each program where the targets were set."""
TARGETS = {
    "print, warm, Docker": ("programs", "print", "docker warm", "median_ms", 3.0),
    "pandas job, warm, Docker": ("programs", "pandas", "docker warm", "median_ms", 12.0),
    "pandas job, warm, bubblewrap": ("programs", "pandas", "bubblewrap warm", "median_ms", 12.0),
    "pandas job, cold, Docker": ("programs", "pandas", "docker cold", "median_ms", 420.0),
    "cost of the kernel witness, pandas job, %": ("witness", "kernel witness", "cost_percent", 10.0),
    "memory per idle warm sandbox, Docker, MB": ("memory", "docker", "private_mb", 60.0),
    "memory per idle warm sandbox, bubblewrap, MB": ("memory", "bubblewrap", "private_mb", 60.0),
    "pandas jobs per second, bubblewrap": ("throughput", "bubblewrap", "runs_per_s", 45.0),
    "pandas jobs per second, Docker": ("throughput", "docker", "runs_per_s", 5.0),
}
"""What is to be reached on a machine with 2 processors and those times of bare `python3`: at most, or per second at least.
On another machine a time may be longer, and a rate lower, by as much as bare `python3` is slower there in the same run."""
Way = Callable[[str, int], tuple[str, float]]


class Bench:
    """The ways of running one program; each answers its output and the seconds to it."""

    def __init__(self, folder: Path, engines: list[str]) -> None:
        self.folder = folder
        self.source = folder / "sales.csv"
        rows = (f"{n},region-{n % 7},{(n * 37) % 1000 / 10}" for n in range(ROWS))
        self.source.write_text("id,region,amount\n" + "\n".join(rows) + "\n")
        folder.chmod(0o755)
        content = self.source.read_bytes()
        sales = InputFile(name="sales.csv", source=str(self.source), bytes=len(content),
                          sha256=hashlib.sha256(content).hexdigest())
        self.manifests = {PROGRAMS["print"]: Manifest(), PROGRAMS["pandas"]: Manifest(inputs=[sales])}
        environment = find_environment()
        if environment is None:
            raise SystemExit("build the sandbox first: fumehood sandbox build")
        self.python = environment.python
        self.engines: dict[str, Engine] = {}
        for name in engines:
            self.engines[name] = engine_named(name)
            problem = self.engines[name].unavailable()
            if problem is not None:
                raise SystemExit(problem)
        self._counter = 0
        self.client = docker.from_env() if "docker" in engines else None

    def bare(self, program: str, turn: int) -> tuple[str, float]:
        begin = time.perf_counter()
        done = subprocess.run([str(self.python), "-I", "-B", "-c", program], cwd=self.folder, capture_output=True,
                              text=True, check=True, env=THREADS)
        return done.stdout, time.perf_counter() - begin

    def session(self, engine: Engine, pool: Pool | None = None) -> Way:
        def run(program: str, turn: int) -> tuple[str, float]:
            if pool is not None and turn >= 0:
                pool.fill()
                time.sleep(QUIET_S)
            self._counter += 1
            place = self.folder / f"run-{self._counter}-{time.monotonic_ns()}"
            place.mkdir()  # as a run has it before its first program
            begin = time.perf_counter()
            preload = HEAVY if "pandas" in program else ()
            session = Session.open(engine, limits=LIMITS, manifest=self.manifests[program], run_id="bench", preload=preload,
                                   source=pool.take if pool is not None else start)
            report = session.run(program, folder=place)
            seconds = time.perf_counter() - begin
            session.close()
            if report.execution.outcome != "completed":
                raise SystemExit(f"{engine.name}: {report.execution.message}\n{report.execution.stderr}")
            return report.execution.stdout, seconds

        return run

    def docker_py(self, program: str, turn: int) -> tuple[str, float]:
        engine = self.engines["docker"]
        assert isinstance(engine, DockerEngine)
        assert self.client is not None
        image = engine.image()
        begin = time.perf_counter()
        container = self.client.containers.create(
            image.id, [image.executable, "-c", program], network_mode="none", cap_drop=["ALL"], read_only=True,
            security_opt=["no-new-privileges:true", f"seccomp={seccomp_profile()}"], user=f"{USER}:{USER}",
            mem_limit="576m", memswap_limit="576m", pids_limit=65, nano_cpus=1_000_000_000, working_dir="/input",
            tmpfs={"/tmp": "rw,noexec,nosuid,nodev,size=256m"},
            volumes={str(self.folder): {"bind": "/input", "mode": "ro"}}, log_config=LogConfig(type="json-file"),
            environment={**THREADS, "PYTHONDONTWRITEBYTECODE": "1"})
        container.start()
        code = container.wait()["StatusCode"]
        answer = container.logs(stdout=True, stderr=False).decode()
        seconds = time.perf_counter() - begin
        container.remove(force=True)
        if code != 0:
            raise SystemExit(f"docker-py: exit code {code}")
        return answer, seconds


def compare(ways: dict[str, Way], program: str, rounds: int) -> dict[str, dict[str, float]]:
    """Turn and turn about, so that a busy moment hits all; the first turn of each is thrown away."""
    seen: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds + 1):
        answers = set()
        for name, run in ways.items():
            answer, seconds = run(program, turn)
            answers.add(answer)
            if turn:
                seen[name].append(1000 * seconds)
        if len(answers) != 1:
            raise SystemExit(f"the answers differ: {answers}")
    base = next(iter(seen.values()))
    return {name: {"min_ms": min(found), "median_ms": statistics.median(found),
                   "ratio": statistics.median(found) / statistics.median(base), "ratio_of_min": min(found) / min(base)}
            for name, found in seen.items()}


def table(bench: Bench, rounds: int) -> dict[str, Any]:
    document = {}
    for name, program in PROGRAMS.items():
        with ExitStack() as stack:
            ways: dict[str, Way] = {"bare python3": bench.bare}
            for engine_name, engine in bench.engines.items():
                pool = Pool(engine, limits=LIMITS, size=2, preload=HEAVY if name == "pandas" else ())
                stack.callback(pool.close)
                ways[f"{engine_name} warm"] = bench.session(engine, pool)
                ways[f"{engine_name} cold"] = bench.session(engine)
            if bench.client is not None:
                ways["docker-py"] = bench.docker_py
            document[name] = compare(ways, program, rounds)
    return document


def witness(bench: Bench, rounds: int) -> dict[str, Any]:
    """The pandas job, warm, on one engine, with the kernel's witness and with a runner that does without."""
    engine = next(iter(bench.engines.values()))
    with ExitStack() as stack:
        watched = Pool(engine, limits=LIMITS, size=1)
        stack.callback(watched.close)
        watched.fill()
        blind_sources = _without_witness(runner_sources())
        for module in ("sandbox", "fork_server"):
            stack.enter_context(mock.patch(f"fumehood.sandbox.{module}.runner_sources",
                                           return_value=blind_sources))
        blind = Pool(engine, limits=LIMITS, size=1)
        stack.callback(blind.close)
        blind.fill()
        if [one.witness for one in (*watched.waiting(), *blind.waiting())] != ["kernel", "interpreter"]:
            raise SystemExit("the witness could not be taken away")
        rows = compare({"without": bench.session(engine, blind), "kernel witness": bench.session(engine, watched)},
                       PROGRAMS["pandas"], rounds)
        rows["kernel witness"]["cost_percent"] = 100 * (rows["kernel witness"]["ratio"] - 1)
        return rows


def _without_witness(packed: bytes) -> bytes:
    magic, sources, compiled = marshal.loads(packed[4:])
    name = next(name for name in sources if name.endswith(".walls"))
    text = sources[name].replace(b"notify=lacks is None", b"notify=False")
    if text == sources[name]:
        raise SystemExit("the runner's walls are not as this benchmark knows them")
    sources[name], compiled[name] = text, marshal.dumps(compile(text, f"<{name}>", "exec"))
    again = marshal.dumps((magic, sources, compiled), 2)
    return struct.pack("!I", len(again)) + again


def memory(bench: Bench) -> dict[str, Any]:
    """Private megabytes on the host per idle warm sandbox with pandas: what one more of them takes."""
    found = {}
    for name, engine in bench.engines.items():
        sums = {}
        for size in (1, 4):
            pool = Pool(engine, limits=LIMITS, size=size)
            try:
                if not pool.fill(timeout=300):
                    raise SystemExit(f"{name}: the pool did not fill")
                time.sleep(0.5)  # the child is forked ahead after the answer
                launched = [item.launched for item in pool.waiting()]
                pids = {pid for one in launched if isinstance(one, DockerSandbox) for pid in _container(bench, one.id)}
                sums[size] = sum(map(_private_mb, pids or _runners()))
            finally:
                pool.close()
        found[name] = {"private_mb": (sums[4] - sums[1]) / 3, "first_mb": sums[1]}
    return found


def _container(bench: Bench, container: str) -> list[int]:
    assert bench.client is not None
    return [int(row[1]) for row in bench.client.containers.get(container).top()["Processes"]]


def _runners() -> list[int]:
    """Processes of sandboxes below this one."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = []
    for pid in parents:
        above = pid
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid() != pid:
            found.append(pid)
    return found


def _private_mb(pid: int) -> float:
    """Its share of memory that is no file's; summed over processes that share pages, each page counts once."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return sum(int(size) for size in re.findall(r"^Pss_(?:Anon|Shmem): +(\d+) kB", text, re.MULTILINE)) / 1024


def throughput(bench: Bench, callers: int, runs: int) -> dict[str, Any]:
    """Pandas jobs per second with many callers at once, none waiting for the pool to be full."""
    found = {}
    ways: dict[str, tuple[Way, int]] = {"bare python3": (bench.bare, runs // 3)}
    with ExitStack() as stack:
        for name, engine in bench.engines.items():
            pool = Pool(engine, limits=LIMITS, size=4)
            stack.callback(pool.close)
            pool.fill()
            ways[name] = bench.session(engine, pool), runs if name == "bubblewrap" else runs // 3
        if bench.client is not None:
            ways["docker-py"] = bench.docker_py, runs // 3
        for name, (run, count) in ways.items():
            with ThreadPoolExecutor(callers) as executor:
                begin = time.perf_counter()
                answers = set(executor.map(lambda _, run=run: run(PROGRAMS["pandas"], -1)[0], range(count)))
                seconds = time.perf_counter() - begin
            if len(answers) != 1:
                raise SystemExit(f"{name}: the answers differ")
            found[name] = {"runs_per_s": count / seconds, "runs": count}
    return found


def reached(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Each row of the table: what was measured, the target as it was set, and what that comes to on this machine."""
    rows: dict[str, dict[str, Any]] = {}
    for name, (*path, target) in TARGETS.items():
        found: Any = document
        for key in path:
            found = found.get(str(key)) if found is not None else None
        if found is None:
            continue  # its engine was not asked for
        program, least = "print" if "print" in path else "pandas", path[-1] == "runs_per_s"
        slower = document["programs"][program]["bare python3"]["median_ms"] / BARE_MS[program]
        here = float(target)
        if path[-1] == "median_ms" or least:
            here = here / slower if least else here * slower
        rows[name] = {"measured": found, "target": float(target), "here": here, "bound": "at least" if least else "at most",
                      "reached": found >= here if least else found <= here,
                      "reached_as_set": found >= float(target) if least else found <= float(target)}
    return rows


def conditions() -> dict[str, Any]:
    return {"date": datetime.datetime.now(datetime.UTC).isoformat(timespec="minutes"), "kernel": platform.release(),
            "processors": os.cpu_count(), "load": os.getloadavg()[0], "python": platform.python_version()}


def main() -> None:
    parser = argparse.ArgumentParser(description="fumehood's sandboxes beside bare python3 and plain docker-py.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--callers", type=int, default=8)
    parser.add_argument("--runs", type=int, default=90, help="runs in the measure of runs per second")
    parser.add_argument("--engines", default="bubblewrap,docker")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fumehood-bench-") as scratch:
        bench = Bench(Path(scratch), chosen.engines.split(","))
        document: dict[str, Any] = {"before": conditions()}
        document |= {"programs": table(bench, chosen.rounds), "witness": witness(bench, 2 * chosen.rounds),
                     "memory": memory(bench), "throughput": throughput(bench, chosen.callers, chosen.runs),
                     "after": conditions()}
        document["table"] = reached(document)
        if bench.client is not None:
            bench.client.close()
    if chosen.json:
        print(json.dumps(document))
        return
    for name, row in document["table"].items():
        print(f"{name:<46} {row['measured']:>8.1f}  {row['bound']} {row['target']:g}, here {row['here']:.1f}: "
              f"{'yes' if row['reached'] else 'NO'}")
    print(f"\nload {document['before']['load']:.1f} before, {document['after']['load']:.1f} after")
    for name, rows in {**document["programs"], "witness, pandas warm": document["witness"]}.items():
        print(f"\n{name:<24} {'min ms':>8} {'median ms':>10} {'ratio':>7} {'of min':>7}")
        for way, row in rows.items():
            print(f"{way:<24} {row['min_ms']:>8.1f} {row['median_ms']:>10.1f} {row['ratio']:>7.2f} "
                  f"{row['ratio_of_min']:>7.2f}")
    print()
    for name, row in document["memory"].items():
        print(f"{name:<24} {row['private_mb']:.1f} MB private per idle warm sandbox with pandas")
    for name, row in document["throughput"].items():
        print(f"{name:<24} {row['runs_per_s']:.1f} pandas runs per second, {chosen.callers} callers")


if __name__ == "__main__":
    main()
