"""What a program will do, read from its syntax tree: shown to a person at approval, compared with the plan."""

import ast
import sys
from typing import Literal

from .literals import ADDRESS, PATH_LIKE, PERSISTENT, outside
from .names import Names
from .sinks import SINKS
from .verdict import Facts, Finding
from .visiting import Visitor

_WRITERS = frozenset({"write_text", "write_bytes", "savefig", "savetxt", "savez", "savez_compressed", "tofile",
                      "to_csv", "to_json",
                      "to_excel", "to_parquet", "to_html", "to_latex", "to_markdown", "to_feather", "to_hdf",
                      "to_stata", "to_xml",
                      "to_pickle", "to_orc", "ExcelWriter", "savemat", "mmwrite", "save_npz", "imsave", "imwrite",
                      "mkdir",
                      "makedirs", "touch", "PdfPages", "make_archive", "write_image"})
_READERS = frozenset({"read_text", "read_bytes", "iterdir", "glob", "rglob", "iglob", "listdir", "scandir", "loadtxt",
                      "genfromtxt",
                      "fromfile", "loadmat", "mmread", "load_npz", "imread", "load_workbook", "PdfReader",
                      "ExcelFile", "getsize"})
_FRAMES = frozenset({"groupby", "merge", "pivot", "pivot_table", "crosstab", "melt", "value_counts", "agg", "rolling",
                     "resample",
                     "sort_values", "describe", "read_csv", "DataFrame", "concat", "read_excel", "read_parquet",
                     "read_sql"})
_CHARTS = frozenset({"savefig", "plot", "hist", "bar", "scatter", "boxplot", "imshow", "subplots", "pie"})
_CHANCE = frozenset({"default_rng", "RandomState", "seed", "random", "randint", "choice", "choices", "gauss",
                     "normal", "uniform",
                     "normalvariate", "integers", "standard_normal", "rvs", "Random"})
_FITS = frozenset({"curve_fit", "minimize", "minimize_scalar", "least_squares", "lstsq", "polyfit", "linregress",
                   "fit", "fsolve",
                   "root", "differential_evolution", "odeint", "solve_ivp", "linear_regression", "UnivariateSpline"})
_CALLS = 200
_MANY, _HUGE = 10**7, 10**9
_FEW = 16
"""Items of a loop that does not count as one over inputs."""


def collect_facts(tree: ast.Module, names: Names, program: str) -> tuple[Facts, list[Finding]]:
    """The facts of one program, and denials for files that do harm by being there; `names` are those of the session."""
    collector = _Facts(names)
    collector.visit(tree)
    facts = Facts(imports=sorted(collector.imports), calls=sorted(collector.calls)[:_CALLS],
                 reads=sorted(collector.reads),
                 writes=sorted(collector.writes),
                 paths=sorted(collector.paths - collector.reads - collector.writes)[:100],
                 hosts=sorted(collector.hosts), tools=sorted(collector.tools), kinds=sorted(collector.kinds()),
                 cost=collector.cost(), lines=program.count("\n") + (not program.endswith("\n")),
                 nesting=collector.deepest)
    return facts, collector.findings


class _Facts(Visitor):
    def __init__(self, names: Names) -> None:
        self.names = names
        self.imports: set[str] = set()
        self.calls: set[str] = set()
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.paths: set[str] = set()
        self.hosts: set[str] = set()
        self.tools: set[str] = set()
        self.findings: list[Finding] = []
        self.largest = 0
        self.sized: set[int] = set()
        self.unbounded = False
        self.loops = 0
        self.deepest_loop = 0
        self.nested = False
        self.few = 0
        """Loops around the current node that go through a few things; two of them cost next to nothing."""
        self.depth = 0
        self.deepest = 0

    def kinds(self) -> set[str]:
        """Kinds of computation; `scalar` when nothing else is recognised."""
        last = {call.rsplit(".", 1)[-1] for call in self.calls}
        tops = {module.split(".")[0] for module in self.imports}
        found = set()
        if last & _FRAMES or (tops & {"pandas", "csv", "pyarrow", "sqlite3"}):
            found.add("table")
        if last & _CHARTS and tops & {"matplotlib", "seaborn", "plotly", "PIL"}:
            found.add("chart")
        if last & _FITS and tops & {"scipy", "numpy", "sklearn", "statsmodels"}:
            found.add("fitting")
        if last & _CHANCE and tops & {"random", "numpy", "scipy", "secrets"}:
            found.add("simulation")
        if self.writes and (self.reads or last & _READERS) and not last & _CHARTS:
            suffixes = {name.rsplit(".", 1)[-1] for name in self.reads} ^ {name.rsplit(".",
                                                                                       1)[-1] for name in self.writes}
            if suffixes:
                found.add("file_conversion")
        return found or {"scalar"}

    def cost(self) -> Literal["low", "medium", "high"]:
        """A guess from loops and the sizes of literals. The limits hold whatever it says."""
        if self.largest >= _HUGE or self.deepest_loop >= 4 or (self.unbounded and self.nested):
            return "high"
        if self.largest >= _MANY or self.deepest_loop >= 3 or self.unbounded:
            return "medium"
        return "low"

    def generic_visit(self, node: ast.AST) -> None:
        nests = isinstance(node, (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try,
                                  ast.FunctionDef,
                                  ast.AsyncFunctionDef, ast.ClassDef, ast.Match))
        self.depth += nests
        self.deepest = max(self.deepest, self.depth)
        super().generic_visit(node)
        self.depth -= nests

    def visit_Import(self, node: ast.Import) -> None:
        self.imports |= {alias.name for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.imports.add("." * node.level + (node.module or ""))

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        few = self.few < 2 and not isinstance(node, ast.While) and _few(node.iter)
        self.few, self.loops = self.few + few, self.loops + (not few)
        self.deepest_loop = max(self.deepest_loop, self.loops)
        self.nested |= self.loops + self.few > 1
        self.generic_visit(node)
        self.few, self.loops = self.few - few, self.loops - (not few)

    visit_For = visit_AsyncFor = _loop

    def visit_While(self, node: ast.While) -> None:
        forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
        if forever and not any(isinstance(part, (ast.Break, ast.Return, ast.Raise)) for part in ast.walk(node)):
            self.unbounded = True
        self._loop(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        text = node.value
        if isinstance(text, str) and 0 < len(text) <= 300 and "\n" not in text:
            found = ADDRESS.match(text)
            if found and found.group(1):
                self.hosts.add(found.group(1))
            elif (outside(text) and text.strip("/")) or PATH_LIKE.fullmatch(text):
                self.paths.add(text)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if id(node) not in self.sized:
            self.largest = max(self.largest, _stored(node))
        self.sized |= {id(part) for part in (node.left, node.right) if isinstance(part, ast.BinOp)}
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        shown = self._called(node.func)
        if "." in shown or isinstance(node.func, ast.Name):
            self.calls.add(shown)
        last = shown.rsplit(".", 1)[-1]
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value,
                                                               ast.Name) and node.func.value.id == "tools" \
                and "tools" not in self.names.paths:
            self.tools.add(node.func.attr)
        if last in ("range", "zeros", "ones", "empty", "arange", "linspace", "repeat", "integers", "normal", "random"):
            sizes = [_size(part) for argument in node.args for part in ast.walk(argument)]
            self.largest = max([self.largest, *sizes])
        self._files(node, last)
        self.generic_visit(node)

    def _called(self, func: ast.expr) -> str:
        """The dotted name of what is called, as imported where it is; for a method of an expression its own name."""
        resolved = self.names.resolve(func)
        return min(resolved) if resolved else _dotted(func) or (func.attr if isinstance(func, ast.Attribute) else "")

    def _files(self, node: ast.Call, last: str) -> None:
        """Literals that are opened: by the call's own arguments, or by the Path the method belongs to."""
        where = node.args[:1] + [item.value for item in node.keywords if item.arg in ("file", "path", "fname",
                                                                                      "filename",
                                                                                      "filepath_or_buffer",
                                                                                      "path_or_buf")]
        if isinstance(node.func, ast.Attribute) and last in ("open", "write_text", "write_bytes", "read_text",
                                                             "read_bytes",
                                                              "mkdir", "touch", "iterdir"):
            where = [node.func.value]
        found = {text for part in where for text in self._texts(part)}
        if not found or not (last in SINKS or last in _WRITERS or last in _READERS) or last in ("Path", "joinpath"):
            return
        if last in _WRITERS or (last in ("open", "ZipFile", "TarFile",
                                         "GzipFile") and self._writing(node)) or last == "save":
            self.writes |= found
            self._persistent(node, found)
        else:
            self.reads |= found

    def _persistent(self, node: ast.Call, written: set[str]) -> None:
        for name in sorted(written):
            last = name.rsplit("/", 1)[-1]
            shadow = last.removesuffix(".py") in sys.stdlib_module_names and last.endswith(".py")
            if PERSISTENT.fullmatch(name) or shadow:
                self.findings.append(Finding(
                    rule="persistent-file", severity="ERROR", line=node.lineno, column=node.col_offset + 1,
                    message=f"A file called {name[:80]!r} runs, or steers programs, merely by being there.",
                    fix="Write results under another name: .csv, .json, .png, .txt."))

    def _texts(self, node: ast.expr) -> set[str]:
        """Visible file names in an expression: "a", Path("a"), Path("a") / "b", a name that holds them."""
        texts = self.names.strings_of(node)
        if texts is not None:
            return {text for text in texts if text and "\n" not in text}
        if isinstance(node, ast.Call) and self._called(node.func).rsplit(".", 1)[-1] in ("Path", "str",
                                                                                    "PurePath") and node.args:
            parts = [self._texts(argument) for argument in node.args]
            return {"/".join(sorted(part)[0] for part in parts)} if all(len(part) == 1 for part in parts) else set()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            left, right = self._texts(node.left), self._texts(node.right)
            return {f"{one}/{other}" for one in left for other in right}
        return set()

    def _writing(self, node: ast.Call) -> bool:
        own = isinstance(node.func, ast.Attribute) and not self.names.rooted(node.func.value)
        position = 0 if own else 1
        mode = next((item.value for item in node.keywords if item.arg == "mode"),
                    node.args[position] if len(node.args) > position else None)
        return any(set(text) & set("wax+") for text in self.names.strings_of(mode) or ())


def _few(source: ast.expr) -> bool:
    """Whether a loop goes through a few things that are written out: the neighbours of a cell, three attempts."""
    if isinstance(source, (ast.List, ast.Tuple, ast.Set)):
        return len(source.elts) <= _FEW and not any(isinstance(item, ast.Starred) for item in source.elts)
    if isinstance(source, ast.Constant) and isinstance(source.value, str):
        return len(source.value) <= _FEW
    if not (isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "range"):
        return False
    bounds = [item.operand if isinstance(item, ast.UnaryOp) else item for item in source.args]
    return len(bounds) < 3 and all(isinstance(item, ast.Constant) and isinstance(item.value, int)
                                   and abs(item.value) <= _FEW for item in bounds)


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
        return ".".join(reversed(parts))
    return ""


def _stored(node: ast.BinOp) -> int:
    """Items or bits that an operation makes at once; a large number as such costs nothing."""
    if isinstance(node.op, ast.Mult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            text = isinstance(one, ast.Constant) and isinstance(one.value, (str, bytes))
            if text or isinstance(one, (ast.List, ast.Tuple)):
                return _size(other)
    if isinstance(node.op, (ast.Pow, ast.LShift)):
        base, exponent = _size(node.left), _size(node.right)
        return exponent * max(1, base.bit_length()) if base > 1 or isinstance(node.op, ast.LShift) else 0
    return 0


def _size(node: ast.AST) -> int:
    """A literal number, or a product or power of such, capped; 0 for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return int(min(abs(node.value), 10**12)) if node.value == node.value else 0
    if isinstance(node, ast.BinOp):
        left, right = _size(node.left), _size(node.right)
        if isinstance(node.op, ast.Pow):
            return 0 if left < 2 else 10**12 if right * (len(str(left)) - 1 or 0.3) > 12 else min(left**right, 10**12)
        if isinstance(node.op, ast.Mult):
            if isinstance(node.left, (ast.Constant, ast.List, ast.Tuple)) and not left:
                return right
            return min(left * right, 10**12)
        if isinstance(node.op, ast.Add):
            return max(left, right)
        if isinstance(node.op, ast.LShift):
            return 10**12 if right > 40 else min(left << right, 10**12)
    return 0
