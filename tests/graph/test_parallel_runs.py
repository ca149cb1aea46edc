"""Eight runs at once, as threads of one process and as processes: case 070 of tests/cases. No run sees another's files."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml
from fumehood.graph.audit import Audit
from fumehood.graph.drive import Driver
from fumehood.graph.live import Parts
from fumehood.graph.scripted import ScriptedChat
from fumehood.graph.settings import Settings
from fumehood.graph.task import Task, inputs_from

CASE = yaml.safe_load((Path(__file__).resolve().parents[1] / "cases" / "070_eight_runs_at_once.yml").read_text("utf-8"))
COUNT = CASE["input"]["config"]["parallel"]
WANTED = CASE["expect"]["each"]


def of_run(text: str, number: int) -> str:
    return text.replace("RUN_I", f"run{number}").replace("run<i>", f"run{number}")


def check(home: Path, outcomes: list[dict[str, Any]]) -> None:
    for number, outcome in enumerate(outcomes):
        assert outcome["status"] == WANTED["status"], outcome["message"]
        assert outcome["attempts"][-1]["execution"]["stdout"] == of_run(WANTED["stdout"], number)
        (made,) = outcome["artifacts"]
        assert made["path"] == "output/me.txt"
        stored = home / "runs" / outcome["run_id"] / made["stored"]
        assert stored.read_text() == of_run(WANTED["artifacts"]["me.txt"], number)
    ids = {outcome["run_id"] for outcome in outcomes}
    assert len(ids) == CASE["expect"]["distinct_run_ids"]
    audit = Audit(home / "audit.jsonl")
    assert audit.verify() is None
    entries = list(audit.entries())
    assert {entry["run_id"] for entry in entries} == ids
    executed = [entry["run_id"] for entry in entries if entry["event"] == "program_executed"]
    assert sorted(executed) == sorted(ids)


def test_threads_of_one_process(home: Path) -> None:
    def run(number: int) -> dict[str, Any]:
        given = CASE["input"]
        inputs = inputs_from({item["path"]: of_run(item["content"], number).encode()
                              for item in given["files_for_run_i"]}, spool=home / "spool")
        driver = Driver(Settings(home=str(home), engines=["bubblewrap"]),
                        Parts(chat=ScriptedChat([of_run(given["model_replies_for_run_i"], number)])))
        try:
            outcome = driver.start(Task(goal=f"say run{number}", inputs=inputs, outputs=["output/me.txt"]))
        finally:
            driver.live.close()
        return outcome.model_dump(mode="json")

    with ThreadPoolExecutor(COUNT) as threads:
        check(home, list(threads.map(run, range(COUNT))))


def test_processes(home: Path, tmp_path: Path) -> None:
    started = []
    for number in range(COUNT):
        folder = tmp_path / f"caller{number}"
        folder.mkdir()
        given = CASE["input"]
        for item in given["files_for_run_i"]:
            (folder / item["path"]).write_text(of_run(item["content"], number))
        (folder / "recording.yml").write_text(yaml.safe_dump({"version": 1, "entries": [
            {"purpose": "program", "reply": {"text": of_run(given["model_replies_for_run_i"], number)}}]}))
        started.append(subprocess.Popen(
            [sys.executable, "-m", "fumehood.apps.cli", "run", f"say run{number}", "--input", "in.txt", "--expect",
             "me.txt", "--model", "recording:recording.yml", "--json", "--quiet"],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "FUMEHOOD_HOME": str(home),
                 "FUMEHOOD_ENGINES": '["bubblewrap"]'}))
    told = [process.communicate(timeout=300) for process in started]
    assert [process.returncode for process in started] == [0] * COUNT, [text for _, text in told]
    check(home, [json.loads(text) for text, _ in told])
