"""Inside bubblewrap: puts the runner's walls around one program, one by one, so that a test can leave one out.

Reads a job as JSON on stdin, writes what happened as JSON on stdout. Refuses to work anywhere but as PID 1 of a sandbox.
"""

import json
import os
import resource
import select
import signal
import sys
import time

BYSTANDER, RUNNER = 2, 3


def main() -> None:
    if os.getpid() != 1 or os.path.exists("/root"):
        raise SystemExit("walled.py runs as PID 1 of its own sandbox and nowhere else")
    sys.path.insert(0, "/fumehood")
    job = json.load(sys.stdin)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if job["bystander"] and _beside_a_bystander() != 0:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(RUNNER, 0)[1]))
    json.dump(run(job), sys.stdout)


def run(job: dict) -> dict:
    from runner import confine, interpreter, landlock, seccomp, witness

    walls = job["walls"]
    for name, text in job["files"].items():
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w") as file:
            file.write(text)
    os.environ["HARNESS_SECRET"] = "the runner's environment"
    if "hidden" in walls:
        confine.set_non_dumpable()
    if job["alone"]:
        confine.set_subreaper()
    readable, writable = job["readable"], [*job["writable"], "/dev/null", "/dev/urandom"]
    if "landlock" in walls:
        landlock.restrict_files([*readable, "/proc"], writable, job["execute"])
    program = seccomp.child_filter("notify" in walls, job["sockets"], alone=job["alone"])
    out_read, out_write = os.pipe()
    number_read, number_write = os.pipe()
    taken_read, taken_write = os.pipe()
    seen_read, seen_write = os.pipe()
    begin = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            confine.set_death_signal(signal.SIGKILL)
            for kept, place in ((out_write, 1), (out_write, 2), (seen_write, 9)):
                os.dup2(kept, place)
            os.close(out_read)
            if "landlock" in walls:
                landlock.restrict_files(readable, writable, job["execute"])
            confine.set_dumpable(True)
            confine.drop_capabilities()
            confine.set_no_new_privs()
            os.chdir("/work")
            code = compile(job["code"], "main.py", "exec")
            if job["hook"]:
                interpreter.watch(9, "main.py", everything=job["hook"] == "all")
            listener = -1
            if "filter" in walls:
                listener = confine.install_filter(program, "notify" in walls)
            os.write(number_write, b"%d\n" % listener)
            os.read(taken_read, 1)
            if listener >= 0:
                os.close(listener)
            exec(code, {"__name__": "__main__", "RUNNER_PIPE": seen_write})
            sys.stdout.flush()
            os._exit(0)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(1)
    for number in (out_write, seen_write):
        os.close(number)
    pidfd = os.pidfd_open(pid)
    listener = int(os.read(number_read, 16))
    poll = select.poll()
    observer = None
    if listener >= 0:
        observer = witness.KernelWitness(confine.take_descriptor(pidfd, listener), "/work", witness.Rules(
            libraries=("/python", "/usr", "/lib"), execute=job["execute"], alone=job["alone"], writable=("/work",)))
        poll.register(observer.fileno(), select.POLLIN)
    hook = interpreter.InterpreterWitness(seen_read, "/work", ("/python", "/usr", "/lib"))
    poll.register(pidfd, select.POLLIN)
    poll.register(out_read, select.POLLIN)
    poll.register(seen_read, select.POLLIN)
    os.write(taken_write, b"g")
    output, ended, until = b"", False, time.monotonic() + job["seconds"]
    while not ended and time.monotonic() < until:
        for number, _ in poll.poll(200):
            if number == out_read:
                data = os.read(out_read, 65536)
                output += data
                if not data:
                    poll.unregister(out_read)
            elif number == pidfd:
                ended = True
            elif number == seen_read:
                if not hook.handle():
                    poll.unregister(seen_read)
            elif observer is not None and not observer.handle():
                poll.unregister(observer.fileno())
        if observer is not None:
            observer.tick()
    wall = time.perf_counter() - begin
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.set_blocking(out_read, False)
    try:
        while data := os.read(out_read, 65536):
            output += data
    except BlockingIOError:
        pass
    lives = None
    if job["bystander"]:
        with open(f"/proc/{BYSTANDER}/stat") as stat:
            lives = stat.read().split()[2] != "Z"
    limits = {name: resource.getrlimit(getattr(resource, name))[0] for name in ("RLIMIT_NOFILE", "RLIMIT_FSIZE")}
    return {"exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None, "ended": ended, "runner_limits": limits,
            "bystander_lives": lives,
            "output": output.decode("utf-8", "replace"), "report": observer.report() if observer else None,
            "hook": hook.report(), "seconds": wall}


def _beside_a_bystander() -> int:
    """Some other process of the same user that is not below the runner; the runner is forked beside it."""
    if os.fork() == 0:
        time.sleep(600)
        os._exit(0)
    return os.fork()


if __name__ == "__main__":
    main()
