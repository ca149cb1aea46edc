import configparser
import tomllib
import io
from types import SimpleNamespace, MappingProxyType
from typing import TypedDict, NotRequired, Required, Annotated, get_args, get_origin, cast

class Settings(TypedDict, total=False):
    title: Required[str]
    rate: float
    tags: NotRequired[list[str]]

cfg = configparser.ConfigParser(interpolation=configparser.ExtendedInterpolation())
cfg.read_string("""
[paths]
base = output
report = ${base}/report.txt
[run]
n = 5
debug = yes
""")
with open("settings.toml", "rb") as f:
    settings = cast(Settings, tomllib.load(f))
ns = SimpleNamespace(**settings)
frozen = MappingProxyType(dict(settings))
n = cfg.getint("run", "n", fallback=3)
print(ns.title, n, cfg.getboolean("run", "debug"), cfg.sections(), {s: dict(cfg[s]) for s in cfg.sections()}, len(frozen))
with open(cfg["paths"]["report"], "w") as out:
    out.write("\n".join(f"{k} = {v}" for k, v in settings.items()))
buf = io.StringIO()
cfg.write(buf)
print(buf.getvalue(), get_args(list[int]), get_origin(list[int]))
