"""Cold single-use Docker sandboxes beside plain docker-py, in one run: ratios, since machines differ and are busy.

    python benchmarks/sandbox_bench.py [--rounds N] [--engine docker] [--json]

Both run the same program on the same image with the same hardening. `docker-py` is what its manual shows: create with
network "none", start, wait, read the logs, remove. `fumehood` is a Session: open, copy the input in, run under all
walls with the kernel's witness, and the checked answer. Teardown counts for neither; it is shown beside.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import docker
from docker.types import LogConfig
from fumehood.sandbox.docker import DockerEngine
from fumehood.sandbox.floor import USER, seccomp_profile
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import InputFile, Manifest
from fumehood.sandbox.session import Session

ROWS = 10_000
PRINT = "print(1)"
PANDAS = ("import pandas as pd\nframe = pd.read_csv('sales.csv')\n"
          "print(frame.groupby('region')['amount'].sum().round(2).to_json())")


def write_input(folder: Path) -> Path:
    path = folder / "sales.csv"
    rows = (f"{n},region-{n % 7},{(n * 37) % 1000 / 10}" for n in range(ROWS))
    path.write_text("id,region,amount\n" + "\n".join(rows) + "\n")
    folder.chmod(0o755)
    path.chmod(0o644)
    return path


def with_fumehood(engine: DockerEngine, program: str, source: Path, folder: Path) -> tuple[str, float, float]:
    """Answer, seconds to it, seconds of teardown."""
    import hashlib

    content = source.read_bytes()
    manifest = Manifest(inputs=[InputFile(name="sales.csv", source=str(source), bytes=len(content),
                                          sha256=hashlib.sha256(content).hexdigest())])
    begin = time.perf_counter()
    session = Session.open(engine, limits=Limits(), manifest=manifest, run_id="bench")
    report = session.run(program, folder=folder)
    answered = time.perf_counter()
    session.close()
    if report.execution.outcome != "completed":
        raise SystemExit(f"fumehood: {report.execution.message}\n{report.execution.stderr}")
    return report.execution.stdout, answered - begin, time.perf_counter() - answered


def with_docker_py(engine: DockerEngine, client: "docker.DockerClient", program: str, source: Path,
                   ) -> tuple[str, float, float]:
    image = engine.image()
    begin = time.perf_counter()
    container = client.containers.create(
        image.id, [image.executable, "-c", program], network_mode="none", cap_drop=["ALL"], read_only=True,
        security_opt=["no-new-privileges:true", f"seccomp={seccomp_profile()}"], user=f"{USER}:{USER}",
        mem_limit="576m", memswap_limit="576m", pids_limit=65, nano_cpus=1_000_000_000, working_dir="/input",
        tmpfs={"/tmp": "rw,noexec,nosuid,nodev,size=256m"}, volumes={str(source.parent): {"bind": "/input", "mode": "ro"}},
        log_config=LogConfig(type="json-file"),
        environment={"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"})
    container.start()
    code = container.wait()["StatusCode"]
    answer = container.logs(stdout=True, stderr=False).decode()
    answered = time.perf_counter()
    container.remove(force=True)
    if code != 0:
        raise SystemExit(f"docker-py: exit code {code}")
    return answer, answered - begin, time.perf_counter() - answered


def main() -> None:
    parser = argparse.ArgumentParser(description="Cold Docker sandboxes beside plain docker-py.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--engine", default="docker", help="docker or docker:RUNTIME")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    engine = DockerEngine(chosen.engine.partition(":")[2] or None)
    problem = engine.unavailable()
    if problem:
        raise SystemExit(problem)
    client = docker.from_env()
    document: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="fumehood-bench-") as scratch:
        source = write_input(Path(scratch))
        for name, program in (("print", PRINT), ("pandas", PANDAS)):
            document[name] = compare(chosen.rounds, program,
                                     lambda program, turn, name=name: with_fumehood(
                                         engine, program, source, Path(scratch, f"{name}-{turn}")),
                                     lambda program, turn: with_docker_py(engine, client, program, source))
    client.close()
    if chosen.json:
        print(json.dumps(document))
        return
    print(f"{'median ms':<10} {'fumehood':>9} {'docker-py':>10} {'ratio':>6}   teardown: fumehood, docker-py")
    for name, row in document.items():
        print(f"{name:<10} {row['fumehood_ms']:>9.0f} {row['docker_py_ms']:>10.0f} {row['ratio']:>6.2f}"
              f"   {row['fumehood_teardown_ms']:.0f}, {row['docker_py_teardown_ms']:.0f}")


Run = Callable[[str, int], tuple[str, float, float]]


def compare(rounds: int, program: str, ours: Run, theirs: Run) -> dict[str, float]:
    """Turn and turn about, so that a busy moment hits both; the first turn of each is thrown away."""
    seen: dict[str, list[tuple[float, float]]] = {"ours": [], "theirs": []}
    for turn in range(rounds + 1):
        answers = set()
        for who, run in (("ours", ours), ("theirs", theirs)):
            answer, seconds, teardown = run(program, turn)
            answers.add(answer)
            if turn:
                seen[who].append((seconds, teardown))
        if len(answers) != 1:
            raise SystemExit(f"the two answers differ: {answers}")
    medians = {who: [1000 * statistics.median(column) for column in zip(*rows, strict=True)] for who, rows in seen.items()}
    return {"fumehood_ms": medians["ours"][0], "docker_py_ms": medians["theirs"][0],
            "ratio": medians["ours"][0] / medians["theirs"][0],
            "fumehood_teardown_ms": medians["ours"][1], "docker_py_teardown_ms": medians["theirs"][1]}


if __name__ == "__main__":
    main()
