"""The command line. Heavy imports happen inside the commands, so that `--help` and `check` start fast."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
                  help="Questions computed by generated code: judged by a policy gate, run in a sandbox, checked.")
policy_app = typer.Typer(no_args_is_help=True, help="The rules' own tests; the effective policy.")
sandbox_app = typer.Typer(no_args_is_help=True, help="Make what the sandbox runs on.")
audit_app = typer.Typer(no_args_is_help=True, help="The record of what happened.")
app.add_typer(policy_app, name="policy")
app.add_typer(sandbox_app, name="sandbox")
app.add_typer(audit_app, name="audit")


class ApprovalChoice(StrEnum):
    auto = "auto"
    always = "always"
    never = "never"


class StateChoice(StrEnum):
    files = "files"
    process = "process"
    fresh = "fresh"


class PreviewChoice(StrEnum):
    none = "none"
    names = "names"
    schema = "schema"
    rows = "rows"


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"fumehood {version('fumehood')}")
        raise typer.Exit


@app.callback()
def fumehood(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Questions computed by generated code: judged by a policy gate, run in a sandbox, checked."""


Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
Inputs = Annotated[list[str], typer.Option("--input", "-i", metavar="[NAME=]PATH", help="A file or folder for the workspace.")]
Sensitive = Annotated[list[str], typer.Option("--sensitive", metavar="NAME", help="An input that a person must approve; its content is in no preview.")]
SchemaFile = Annotated[Path | None, typer.Option("--schema", help="JSON Schema of the result.")]
OutputDir = Annotated[Path | None, typer.Option("--output", "-o", help="Folder that gets the output files.")]
Expect = Annotated[list[str], typer.Option("--expect", metavar="NAME", help="A declared output: a name or a pattern.")]
EngineName = Annotated[str | None, typer.Option("--engine", help="Exactly this engine: docker, docker:RUNTIME, bubblewrap, landlock.")]
Timeout = Annotated[float | None, typer.Option("--timeout", metavar="S", help="Seconds by the clock for one program.")]
Memory = Annotated[int | None, typer.Option("--memory", metavar="MB", help="Memory of one program.")]
Cpu = Annotated[float | None, typer.Option("--cpu", metavar="S", help="Processor seconds of one program.")]
PolicyName = Annotated[str | None, typer.Option("--policy", help="A shipped profile or an operator's own file.")]
ApprovalMode = Annotated[ApprovalChoice | None, typer.Option("--approval", help="never: what would be asked stops.")]
Expires = Annotated[float | None, typer.Option("--expires", metavar="S", help="Seconds in which a person may decide; then approval_expired.")]
StateMode = Annotated[StateChoice | None, typer.Option("--state", help="What stays between the steps of a run.")]
KeepWorkspace = Annotated[Path | None, typer.Option("--keep-workspace", metavar="FILE.tar", help="Write the workspace's files to an archive.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")]
Shown = Annotated[str, typer.Option("--shown", metavar="DIGEST", help="Only if the question's digest begins so, as `show` printed it.")]
RunId = Annotated[str, typer.Argument(metavar="ID", help="The run, or enough of its id; `last` is the newest.")]


@app.command()
def run(
    goal: Annotated[str, typer.Argument(help="What is wanted, in any language.")],
    input: Inputs = [], sensitive: Sensitive = [], schema: SchemaFile = None, output: OutputDir = None, expect: Expect = [],
    model: Annotated[str | None, typer.Option("--model", help="openai:NAME, ollama:NAME, recording:FILE, paste.")] = None,
    fallback_model: Annotated[str | None, typer.Option("--fallback-model", help="Asked where the first gives no reply.")] = None,
    engine: EngineName = None, timeout: Timeout = None, memory: Memory = None, cpu: Cpu = None,
    policy: PolicyName = None, approval: ApprovalMode = None, expires: Expires = None, state: StateMode = None,
    max_attempts: Annotated[int | None, typer.Option("--max-attempts", help="Programs per step.")] = None,
    max_steps: Annotated[int | None, typer.Option("--max-steps", help="Programs that run to their end.")] = None,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", help="Tokens of all model calls together.")] = None,
    max_seconds: Annotated[float | None, typer.Option("--max-seconds", metavar="S", help="Seconds of the whole run, without the waiting for a person.")] = None,
    instructions: Annotated[str | None, typer.Option("--instructions", metavar="TEXT|@FILE", help="Role and manner of the answer.")] = None,
    preview: Annotated[PreviewChoice | None, typer.Option("--preview", help="How much of the inputs the model sees.")] = None,
    fallback: Annotated[Path | None, typer.Option("--fallback", metavar="FILE.py", help="A program tried once when the attempts are used up.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Stop after every node and show what changed.")] = False,
    escalate: Annotated[bool, typer.Option("--escalate", help="Ask a person when the attempts are used up.")] = False,
    record: Annotated[Path | None, typer.Option("--record", metavar="FILE", help="Write the model's replies for recording:FILE.")] = None,
    keep_workspace: KeepWorkspace = None, quiet: Quiet = False, json: Json = False,
) -> None:
    """Answer a goal: plan, write a program, judge it, run it, check what comes out."""
    from .run_commands import RunRequest, run_goal

    run_goal(goal, RunRequest(
        inputs=input, sensitive=sensitive, schema=schema, output=output, expect=expect, model=model, fallback_model=fallback_model,
        engine=engine, timeout=timeout, memory=memory, cpu=cpu, policy=policy, approval=approval, expires=expires, state=state,
        max_attempts=max_attempts, max_steps=max_steps, max_tokens=max_tokens, max_seconds=max_seconds, instructions=instructions, preview=preview, fallback=fallback,
        step=step, escalate=escalate, record=record, keep_workspace=keep_workspace, quiet=quiet, as_json=json))


@app.command("exec")
def exec_(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="The program; - reads it from standard input.")],
    input: Inputs = [], sensitive: Sensitive = [], schema: SchemaFile = None, output: OutputDir = None, expect: Expect = [],
    engine: EngineName = None, timeout: Timeout = None, memory: Memory = None, cpu: Cpu = None,
    policy: PolicyName = None, approval: ApprovalMode = None, expires: Expires = None, state: StateMode = None,
    keep_workspace: KeepWorkspace = None, quiet: Quiet = False, json: Json = False,
) -> None:
    """Judge, run and check a given program; no model is asked."""
    from .run_commands import RunRequest, run_file

    run_file(file, RunRequest(
        inputs=input, sensitive=sensitive, schema=schema, output=output, expect=expect, engine=engine, timeout=timeout, memory=memory,
        cpu=cpu, policy=policy, approval=approval, expires=expires, state=state, keep_workspace=keep_workspace, quiet=quiet,
        as_json=json))


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.py…", help="Programs to judge.")],
    policy: PolicyName = None,
    sarif: Annotated[bool, typer.Option("--sarif", help="Print SARIF 2.1.0.")] = False, json: Json = False,
) -> None:
    """Judge programs by the gate alone; nothing runs."""
    from .check import check_files

    check_files(files, policy, sarif=sarif, as_json=json)


@app.command()
def demo(
    engine: EngineName = None,
    goal: Annotated[str | None, typer.Option("--goal", help="Another goal than the English one (it needs a model).")] = None,
    model: Annotated[str | None, typer.Option("--model", help="A real model instead of the recording.")] = None,
    json: Json = False,
) -> None:
    """The sales example, offline: a recorded model, the real gate, a real sandbox."""
    from .demo import run_demo

    run_demo(engine=engine, goal=goal, model=model, as_json=json)


@app.command()
def doctor(json: Json = False) -> None:
    """Which engines, gates and models work here, tried, and what to do about the rest."""
    from .doctor import examine

    examine(as_json=json)


@app.command()
def runs(
    waiting: Annotated[bool, typer.Option("--waiting", help="Only runs that wait for a person.")] = False,
    stats: Annotated[bool, typer.Option("--stats", help="Counts and durations by stop reason, verdict, engine, rule.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many, newest first.")] = 50,
    since: Annotated[str | None, typer.Option("--since", metavar="7d|12h|DATE", help="Only runs begun since then.")] = None,
    matching: Annotated[str, typer.Option("--matching", metavar="TEXT", help="Only runs whose goal holds this text.")] = "",
    json: Json = False,
) -> None:
    """Past and waiting runs."""
    from .listing import list_runs

    list_runs(waiting=waiting, stats=stats, limit=limit, since=since, matching=matching, as_json=json)


@app.command()
def show(
    run_id: RunId,
    diff: Annotated[str | None, typer.Option("--diff", metavar="OTHER", help="Compare with another run.")] = None,
    json: Json = False,
) -> None:
    """One run: its answer or question, its attempts, its timeline."""
    from .past import show_run

    show_run(run_id, diff=diff, as_json=json)


@app.command()
def approve(
    run_id: RunId,
    edit: Annotated[Path | None, typer.Option("--edit", metavar="FILE", help="Run this program instead; it is judged again.")] = None,
    always_identical: Annotated[bool, typer.Option("--always-identical", help="Do not ask again for the same program in this run.")] = False,
    shown: Shown = "", output: OutputDir = None, quiet: Quiet = False, json: Json = False,
) -> None:
    """Say yes to the waiting program, or to an edited one, and go on."""
    from .past import decide_run

    decide_run(run_id, "edit" if edit else "approve", edit=edit, always_identical=always_identical, shown=shown, output=output, quiet=quiet, as_json=json)


@app.command()
def reject(run_id: RunId, reason: Annotated[str, typer.Argument(help="Why not.")], shown: Shown = "", quiet: Quiet = False,
           json: Json = False) -> None:
    """Say no to the waiting program; the run stops."""
    from .past import decide_run

    decide_run(run_id, "reject", message=reason, shown=shown, quiet=quiet, as_json=json)


@app.command()
def respond(run_id: RunId, text: Annotated[str, typer.Argument(help="A hint for the model.")], shown: Shown = "",
            output: OutputDir = None, quiet: Quiet = False, json: Json = False) -> None:
    """Send the waiting program back with a hint."""
    from .past import decide_run

    decide_run(run_id, "respond", message=text, shown=shown, output=output, quiet=quiet, as_json=json)


@app.command()
def resume(run_id: RunId, output: OutputDir = None, quiet: Quiet = False, json: Json = False) -> None:
    """Go on with a run that was interrupted or whose question is decided."""
    from .past import resume_run

    resume_run(run_id, output=output, quiet=quiet, as_json=json)


@app.command()
def replay(
    run_id: RunId,
    from_: Annotated[str, typer.Option("--from", metavar="NODE", help="The node to begin at: plan, generate, check_policy, prepare, run, validate, finish.")],
    edit: Annotated[Path | None, typer.Option("--edit", metavar="FILE", help="Use this program instead; begin at check_policy.")] = None,
    output: OutputDir = None, quiet: Quiet = False, json: Json = False,
) -> None:
    """Fork a run from one of its nodes, with another program where one is given."""
    from .past import replay_run

    replay_run(run_id, from_, edit=edit, output=output, quiet=quiet, as_json=json)


@policy_app.command("test")
def policy_test(policy: PolicyName = None, json: Json = False) -> None:
    """Run the samples of every rule; fails where a rule has none or would not be missed."""
    from .policy_commands import test_policy

    test_policy(policy, as_json=json)


@policy_app.command("show")
def policy_show(policy: PolicyName = None, json: Json = False) -> None:
    """The effective policy."""
    from .policy_commands import show_effective

    show_effective(policy, as_json=json)


@sandbox_app.command("build")
def sandbox_build(
    engine: Annotated[str | None, typer.Option("--engine", help="docker or bubblewrap; both where Docker answers.")] = None,
    requirements: Annotated[Path | None, typer.Option("--requirements", help="An operator's own pinned requirements.")] = None,
    from_image: Annotated[str | None, typer.Option("--from", metavar="IMAGE", help="Base image that is here already.")] = None,
    json: Json = False,
) -> None:
    """Make the sandbox's image, or the bubblewrap environment."""
    from .build_commands import build_sandbox

    build_sandbox(engine=engine, requirements=requirements, from_image=from_image, as_json=json)


@audit_app.command("verify")
def audit_verify(json: Json = False) -> None:
    """Check the chain of the audit record; names the first bad line."""
    from .listing import verify_audit

    verify_audit(as_json=json)


def main() -> None:
    """Entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    app()


if __name__ == "__main__":
    main()
