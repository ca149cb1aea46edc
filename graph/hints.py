"""Classic faults of generated programs and the way out of each, as a careful colleague would say it."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..sandbox.execution import Execution, ProgramError
from .prompts import as_data
from .terminal import clipped, readable

PACKAGE_OF = {
    "bs4": "beautifulsoup4", "cv2": "opencv-python-headless", "sklearn": "scikit-learn", "skimage": "scikit-image",
    "yaml": "PyYAML", "PIL": "pillow", "dateutil": "python-dateutil", "docx": "python-docx", "pptx": "python-pptx",
    "fitz": "PyMuPDF", "dotenv": "python-dotenv", "Crypto": "pycryptodome", "jwt": "PyJWT", "git": "GitPython",
    "serial": "pyserial", "usb": "pyusb", "OpenSSL": "pyOpenSSL", "magic": "python-magic", "attr": "attrs",
    "MySQLdb": "mysqlclient", "psycopg2": "psycopg2-binary", "wx": "wxPython", "gi": "PyGObject", "zmq": "pyzmq",
    "Levenshtein": "python-Levenshtein", "slugify": "python-slugify", "ruamel": "ruamel.yaml",
    "pkg_resources": "setuptools", "google": "protobuf", "win32com": "pywin32", "faiss": "faiss-cpu",
}
"""Distribution names that differ from the import name."""

_INSTEAD = {
    "seaborn": "matplotlib.pyplot draws the same charts", "plotly": "matplotlib.pyplot, saved with plt.savefig",
    "bokeh": "matplotlib.pyplot, saved with plt.savefig", "altair": "matplotlib.pyplot, saved with plt.savefig",
    "sklearn": "numpy and scipy (scipy.stats.linregress, scipy.cluster, scipy.optimize)",
    "statsmodels": "scipy.stats and numpy.linalg.lstsq", "polars": "pandas", "dask": "pandas with chunksize=",
    "pyspark": "pandas with chunksize=", "xlrd": "openpyxl, or pandas.read_excel", "xlsxwriter": "openpyxl",
    "cv2": "PIL.Image and numpy", "skimage": "PIL.Image and numpy", "bs4": "html.parser", "lxml": "html.parser",
    "yaml": "a JSON input, or reading the lines yourself",
    "requests": "nothing: there is no network; what is needed comes as an input file",
    "httpx": "nothing: there is no network; what is needed comes as an input file",
    "aiohttp": "nothing: there is no network; what is needed comes as an input file",
    "urllib3": "nothing: there is no network; what is needed comes as an input file",
    "dateutil": "datetime, or pandas.to_datetime", "pytz": "zoneinfo", "tqdm": "no progress bar at all",
    "sympy": "fractions, decimal, or numpy", "networkx": "graphlib, heapq, or scipy.sparse.csgraph",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is known around a program, for hints that name the way out. All may be empty."""

    imports: Sequence[str] = ()
    """Modules that the policy allows, such as `pandas.*`."""
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Column names by input file."""
    encodings: Mapping[str, str] = field(default_factory=dict)
    """Detected encoding by input file, where it is not UTF-8."""
    inputs: Sequence[str] = ()
    """Names of the input files in the workspace."""


NOTHING_KNOWN = Surroundings()


def hint_for(execution: Execution, program: str, around: Surroundings, room: int) -> str:
    """The way out of what ended the program, in `room` characters; empty where the message itself says it best."""
    ended = _ENDINGS.get(execution.limit if execution.outcome == "limit" and execution.limit else execution.outcome, "")
    if execution.outcome == "killed":
        ended = _KILLED.get(execution.signal or 0, ended)
    error = execution.error
    if ended or error is None:
        return clipped(ended, room)
    said = f"{error.type}: {error.message}"
    if error.type.endswith(("KeyError", "ColumnNotFoundError")) or _NO_COLUMN.search(error.message):
        return _missing_column(error, said, around, room)
    special = _special(error, program, around)
    return clipped(special or next((hint for pattern, hint in _ERRORS if re.search(pattern, said)), ""), room)


_ENDINGS = {
    "timeout": "Let it do less: whole columns at once with numpy or pandas instead of loops over rows, a dictionary or "
        "merge instead of nested loops, only the columns that are needed; never sleep or wait for input. Try it "
        "on a part of the data first.",
    "cpu": "Let it compute less: whole columns at once with numpy or pandas instead of loops over rows, a better "
        "algorithm, a part of the data first.",
    "out_of_memory": "Hold less in memory: read_csv(..., usecols=[...], dtype=...), or in pieces with chunksize= and "
        "add up; no copies, no dense tables, delete what is no longer needed. The limit cannot be raised from here.",
    "output": "Print less: totals, counts, head() and tail(). Write long output to a file below output/.",
    "disk": "Write less: only the files that are wanted, no copies of the inputs, compressed where that helps.",
    "files": "Write fewer files: one table instead of a file per row.",
    "processes": "Start no processes and only a few threads; numpy and pandas need none.",
    "killed": "A native library may have crashed: do it in smaller pieces or another way.",
}
_KILLED = {
    7: "A bus error mostly means that shared memory (/dev/shm) is full: use less of it, or plain arrays.",
    11: "A native library crashed: check shapes and dtypes, avoid very deep recursion, do it in smaller pieces.",
}

_ERRORS = (
    (r"^EOFError",
     "Nobody answers input(): there is no keyboard. Write the values into the program, or read them from an "
     "input file."),
    (r"not JSON serializable",
     "Convert before delivering: int(x) or float(x) for numpy numbers, x.isoformat() for dates, .tolist() for "
     "arrays, .to_dict('records') for tables."),
    (r"Out of range float values|not JSON compliant",
     "NaN and Infinity are not JSON: decide what a missing value means, or use None."),
    (r"EmptyDataError|No columns to parse",
     "The file is empty: check its size first, and say what an empty file means for the answer."),
    (r"ParserError|Error tokenizing data|Expected \d+ fields",
     "The separator or the quoting differs: look at the first lines as text, then give sep=, quotechar= or "
     "skiprows=."),
    (r"could not convert string to (float|int)|invalid literal for int|Unable to parse string",
     "The column holds text: look at the offending values; decimal=',' and thousands='.' for European numbers, "
     "pd.to_numeric(column, errors='coerce') and a count of what was lost otherwise."),
    (r"can only concatenate str|unsupported operand type\(s\).*'str'|not supported between instances of '(str|"
     r"float|int)'",
     "A column that should be numbers holds text (or the other way round): check dtypes and convert first."),
    (r"time data .* (does not match|doesn't match)|Unknown (string|datetime)|DateParseError|OutOfBoundsDatetime",
     "Look at the dates as text, then give format= (or dayfirst=True) to pd.to_datetime."),
    (r"UnicodeEncodeError",
     "Write text files with encoding='utf-8'."),
    (r"urlopen error|Name or service not known|Temporary failure in name resolution|Network is unreachable|"
     r"ConnectionError|ConnectionRefused|ConnectTimeout|Max retries exceeded|Address family not supported|"
     r"gaierror|ssl\.",
     "There is no network. What is needed from outside must come as an input file; without it reply "
     "CANNOT_ANSWER and name it."),
    (r"Read-only file system|^IsADirectoryError",
     "Write to new files of the workspace, best below output/; inputs and all the rest are read-only."),
    (r"^PermissionError",
     "Inputs are read-only, and nothing outside the workspace can be opened. Write to output/NAME; read inputs "
     "by their relative names; for a changed input write a copy."),
    (r"No such file or directory: 'output|cannot save file into a non-existent directory|non-existent directory",
     "The folder output/ exists; folders below it are made with pathlib.Path(...).mkdir(parents=True, "
     "exist_ok=True)."),
    (r"^RecursionError",
     "Write it with a loop or an explicit stack."),
    (r"^ZeroDivisionError",
     "Say what a division by zero means here, and treat those rows before dividing."),
    (r"truth value of (a|an) (Series|DataFrame|array)",
     "Compare whole columns with & and | in parentheses, or use .any() and .all()."),
    (r"^SystemExit",
     "Do not exit by hand: print what is missing, or reply CANNOT_ANSWER with the reason."),
    (r"^AssertionError",
     "Your own check failed: print the values it compares, then mend the computation, not the check."),
    (r"TclError|no display name|DISPLAY",
     "There is no window: plt.savefig('output/NAME.png'), and no plt.show()."),
    (r"has no attribute '(append|ix|iteritems|as_matrix|get_value)'|module 'numpy' has no attribute '(float|int|"
     r"bool|object|str)'",
     "That name is gone from the current version: pd.concat, .loc, .items, .to_numpy, and plain float, int, "
     "bool."),
    (r"unexpected keyword argument",
     "This version takes no such argument: leave it out, or look it up with help() in a program of its own."),
    (r"index \d+ is out of bounds|list index out of range|single positional indexer",
     "Check the length first: something is empty or shorter than expected; print it."),
    (r"must be same length|Length of values|could not be broadcast|shapes .* not aligned",
     "Print the shapes (and the dtypes) of what meets there."),
    (r"^NameError",
     "Each program stands alone unless variables stay: define or import it here, and check the spelling."),
    (r"^SyntaxError|^IndentationError",
     "Send the whole program again, corrected."),
)


_NO_COLUMN = re.compile(r"Usecols do not match|not in index|'DataFrame' object has no attribute|not found in axis|"
                        r"Missing column provided")


def _special(error: ProgramError, program: str, around: Surroundings) -> str:
    if re.match(r"(ModuleNotFoundError|ImportError)", error.type):
        return _missing_module(error, around)
    if error.type.endswith("UnicodeDecodeError"):
        return _encoding(error, program, around)
    if error.type.endswith("FileNotFoundError") and "output" not in error.message:
        return _missing_file(error, program, around)
    return ""


def _missing_module(error: ProgramError, around: Surroundings) -> str:
    match = re.search(r"No module named '([\w.]+)'|cannot import name '(\w+)' from '([\w.]+)'", error.message)
    name = (match[1] or match[3]).split(".")[0] if match else ""
    if match and match[2]:
        return f"{match[3]} has no {match[2]} in this version: print its version, or do it another way."
    package = PACKAGE_OF.get(name)
    known = f" (it belongs to the package {package}, not {name})" if package and package.lower() != name.lower() else ""
    parts = [f"{name or 'That module'} is not in the sandbox{known}, and nothing can be installed: there is no network."]
    if name in _INSTEAD:
        parts.append(f"Use instead: {_INSTEAD[name]}.")
    if around.imports:
        names = [entry.removesuffix(".*") for entry in around.imports]
        shown = ", ".join(dict.fromkeys(entry for entry in names if "." not in entry))
        parts.append(f"What can be imported: {shown[:600]}.")
    return " ".join(parts)


def _encoding(error: ProgramError, program: str, around: Surroundings) -> str:
    detected = {name: code for name, code in around.encodings.items() if name in program} or dict(around.encodings)
    if detected:
        named = ", ".join(f"{name} looks like {code}" for name, code in list(detected.items())[:5])
        return f"The file is not UTF-8: {named}. Give it as encoding=."
    if re.search(r"can't decode byte 0x(ff|fe) in position 0", error.message):
        return "The file is not UTF-8; its first bytes are those of UTF-16: encoding='utf-16'."
    if re.search(r"can't decode byte 0x(1f|8b) in position [01]\b", error.message):
        return "The file is compressed (gzip): compression='gzip', or gzip.open(name, 'rt')."
    return ("The file is not UTF-8: try encoding='cp1252' (Western) or 'latin-1', else 'utf-16'; print a few lines to "
            "check the letters.")


def _missing_file(error: ProgramError, program: str, around: Surroundings) -> str:
    if "__file__" in program and around.inputs:
        return (f"The program itself lies elsewhere: inputs are in the working folder, so leave __file__ out and open "
                f"{next(iter(around.inputs))!r} by its plain name. The inputs are: {', '.join(list(around.inputs)[:20])}.")
    if not around.inputs:
        return "Look first which files there are: print(sorted(p.name for p in pathlib.Path('.').iterdir()))."
    wanted = re.search(r"'([^']+)'\s*$", error.message)
    close = difflib.get_close_matches(wanted[1].rsplit("/")[-1], list(around.inputs), 1, 0.5) if wanted else []
    meant = f" Did you mean {close[0]!r}?" if close else ""
    return f"The inputs are: {', '.join(list(around.inputs)[:20])}; use these relative names.{meant}"


def _missing_column(error: ProgramError, said: str, around: Surroundings, room: int) -> str:
    if not around.columns:
        table = any("DataFrame" in kind or "Series" in kind for kind in error.values.values())
        return clipped("Look at the names first: print(list(table.columns)), with repr() for spaces and case."
                       if table or "DataFrame" in said else
                       "That key is not there: print the keys first, and say what a missing one means.", room)
    tables = list(around.columns.items())[:6]
    shown = "; ".join(f"{name}: {', '.join(map(repr, list(names)[:30]))}" for name, names in tables)
    wanted = re.findall(r"'([^']+)'", error.message)
    every = [column for names in around.columns.values() for column in names]
    close = [match for name in wanted[:3] for match in difflib.get_close_matches(name, every, 1, 0.5)]
    meant = f" Did you mean {', '.join(map(repr, dict.fromkeys(close)))}?" if close else ""
    names = readable(f"{meant} {shown}".strip())[:max(room - 110, 0)]
    return f"The columns there are:\n{as_data(names, 'columns')}"
