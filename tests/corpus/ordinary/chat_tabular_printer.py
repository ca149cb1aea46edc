from typing import Sequence, Callable, Iterable, Optional, Union, List, Dict, Tuple
import shutil
import sys
from tabulate import tabulate
def render(rows: Sequence[Dict[str, object]], columns: Optional[List[str]] = None, *, align: str = "<", fmt: Callable[[object], str] = str) -> str:
    if not rows:
        return "(empty)"
    columns = columns or list(rows[0])
    widths = {c: max(len(c), *(len(fmt(r.get(c, ""))) for r in rows)) for c in columns}
    line = "+".join("-" * (widths[c] + 2) for c in columns).join("++")
    head = "|" + "|".join(f" {c:^{widths[c]}} " for c in columns) + "|"
    body = ["|" + "|".join(" {0:{1}{2}} ".format(fmt(r.get(c, "")), align, widths[c]) for c in columns) + "|" for r in rows]
    return "\n".join([line, head, line, *body, line])
data = [{"name": "Alice", "score": 93.456}, {"name": "Bob", "score": 7}]
print(render(data, fmt=lambda v: f"{v:.1f}" if isinstance(v, float) else str(v)))
print(tabulate(data, headers="keys", tablefmt="github", floatfmt=".2f", showindex=True))
print(f"{'Report':=^{shutil.get_terminal_size((60, 20)).columns}}")
print("%-10s|%5.2f|%05d|%+d|%x|%e|%s" % ("left", 3.14159, 42, 7, 255, 12345.678, {"a": 1}))
print("{name:>10} {score:8.3f} {0[1]} {1.real}".format([1, 2], 3, **data[0]), "{:,}".format(1234567), "{!r:>8}".format("q"), f"{1e6:_.0f} {0.256:%} {255:#06b}")
