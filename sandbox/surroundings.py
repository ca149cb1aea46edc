"""The fixed environment that every program sees, on every engine: an allow-list made here, nothing of the host's."""

from collections.abc import Mapping

from .engine import SCRATCH

_THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")


def environment_of(*, timezone: str, hash_seed: int, scratch: str = SCRATCH) -> dict[str, str]:
    """Variables of runner and program. Threads are fixed because counts taken from the host change the last digits."""
    return {
        "PATH": "/venv/bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": f"{scratch}/home",
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "TZ": timezone,
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": f"{scratch}/home/.config/matplotlib",
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONSAFEPATH": "1",
        # pyarrow's own allocator takes 4 MB and a thread of every process that only imports it.
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        **{f"{name}_NUM_THREADS": "1" for name in _THREADS},
    }


def recorded(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of it that changes what a program computes, for the evidence."""
    kept = {"TZ", "LANG", "PYTHONHASHSEED", "PYTHONUTF8", "MPLBACKEND"}
    return {name: value for name, value in environment.items() if name in kept or name.endswith("_NUM_THREADS")}
