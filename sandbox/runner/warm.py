"""Importing ahead: what programs will import is loaded, and used once, before a program is there."""

import gc
import importlib
import io
import os
import sys

from . import confine

_REHEARSAL = """
import io, json, random
random.seed(None)
class Kind:
    def method(self, value): return f"{value!r:>4}"
out = io.TextIOWrapper(io.BytesIO(), write_through=True)
try:
    print(json.dumps({"a": [1, 2.5, None, "x"]}), Kind().method(1), sorted({3: 1, 2: 2}), file=out)
    raise ValueError("rehearsed")
except ValueError as error:
    print(str(error), file=out)
"""


def preload(names: list[str], *, ahead: bool) -> list[str]:
    """Import these modules; the names of those that are not there. Only the host's configuration names them. `ahead`: use
    them too, nobody waits."""
    lacking, used = [], "pandas" in sys.modules
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            lacking.append(name)
    # A clone of a fork server finds it imported, and used, already.
    if ahead and "pandas" in sys.modules and not used:
        _use_pandas()
        gc.collect()
        confine.give_back_memory()
    return lacking


def rehearse() -> None:
    """In a forked child, before it is confined: touch once what every program touches, so that the copies of those
    memory pages are made now and not while a program runs."""
    namespace: dict[str, object] = {"__name__": "rehearsal"}
    exec(compile(_REHEARSAL, "<rehearsal>", "exec"), namespace)
    if "pandas" in sys.modules:
        # A little only: what a few programs use costs every sandbox its time.
        pandas = sys.modules["pandas"]
        rows = "".join(f"{n},name-{n % 7},{n / 8}\n" for n in range(100))
        frame = pandas.read_csv(io.StringIO(f"id,name,value\n{rows}"))
        frame.groupby("name")["value"].sum()
        del frame, rows
    namespace.clear()
    gc.collect()


def is_timezone(name: str) -> bool:
    """Whether this sandbox knows the zone. The C library silently takes UTC for one that it does not."""
    if name == "UTC":
        return True
    import zoneinfo

    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def font_list() -> str | None:
    """Where the list of fonts lies that was made with the sandbox's Python, if there is one."""
    for folder in sys.path:
        data = f"{folder}/matplotlib/mpl-data"
        try:
            for name in os.listdir(data):
                if name.startswith("fontlist-v") and name.endswith(".json"):
                    return f"{data}/{name}"
        except OSError:
            continue
    return None


def libraries(program_folder: str) -> list[str]:
    """Folders that every program reads by merely running; the witness counts what is read there."""
    known = {sys.prefix, sys.base_prefix, "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/etc",
             "/usr/share", program_folder}
    return sorted(known)


def _use_pandas() -> None:
    """pandas and numpy load half of themselves at the first use; and pages touched here are shared with every child."""
    pandas = sys.modules["pandas"]
    frame = pandas.read_csv(io.StringIO("name,value,day\na,1,2024-01-01\nb,2.5,2024-01-02\n"), parse_dates=["day"])
    frame.groupby("name").agg({"value": ["sum", "mean"]})
    frame[["name", "value"]].to_json()
