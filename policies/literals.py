"""Text inside a program that means something to Python or a library: paths, addresses, format templates, settings."""

import re
from string import Formatter

OUTSIDE = re.compile(r"(?:(?:dateutil/)?/|~|[A-Za-z][A-Za-z0-9+.\-]*://|file:|\\\\|[A-Za-z]:[\\/])|(?:.*[/\\])?\.\.(?:[/\\]|$)",
                     re.DOTALL)
"""A path or address that does not lie in the working folder. pandas opens what follows "dateutil/" in a time zone."""
CLIMBS = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)")
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://([^/\s:?#]*)")
PATH_LIKE = re.compile(r"[\w./~\\:\- ]{1,200}[/\\][\w./\\\- ]{1,200}|[\w\- ]{1,80}\.(?:csv|tsv|json|txt|xlsx?|parquet|png"
                       r"|svg|pdf|db|sqlite|npy|npz|xml|html?|md|zip|gz|feather|jpe?g|log|ya?ml|toml)")
DUNDER = re.compile(r"__[a-zA-Z]+(?:_[a-zA-Z]+)*__")
DESCRIBES = frozenset({"__all__", "__doc__", "__version__", "__author__", "__license__", "__copyright__", "__credits__",
                       "__email__", "__maintainer__", "__date__", "__status__"})
"""Special names that programs bind, and that nothing but people and star imports reads."""
PERSISTENT = re.compile(r"(?:.*/)?(?:sitecustomize|usercustomize|conftest|__init__|__main__)\.pyc?$|(?:.*/)?matplotlibrc$"
                        r"|.*\.(?:pth|so|pyc|pyd)$|(?:.*/)?\.(?:bashrc|profile|netrc|pypirc|semgrepignore)$")
"""Files that run, or steer tools, merely by being there."""
_ATTRIBUTE = re.compile(r"\.([^.\[\]]+)")
_INDEX = re.compile(r"\[([^\]]*)\]")


def outside(text: str) -> bool:
    """Whether a path literal leaves the working folder."""
    return bool(OUTSIDE.match(text))


def template_reads(template: str, depth: int = 0) -> list[str] | None:
    """Attribute names and dunder keys that str.format reads for this template; null when it is no valid template."""
    reads: list[str] = []
    try:
        for _, name, spec, _ in Formatter().parse(template):
            if name is None:
                continue
            reads += _ATTRIBUTE.findall(_INDEX.sub("", name))
            reads += [key for key in _INDEX.findall(name) if DUNDER.search(key)]
            if spec and depth < 2:
                inner = template_reads(spec, depth + 1)
                if inner is None:
                    return None
                reads += inner
    except ValueError:
        return None
    return reads


# Python's own spelling of what people install, where the two differ.
PACKAGE_OF = {
    "sklearn": "scikit-learn", "cv2": "opencv-python-headless", "bs4": "beautifulsoup4", "yaml": "PyYAML",
    "PIL": "pillow",
    "skimage": "scikit-image", "dateutil": "python-dateutil", "docx": "python-docx", "pptx": "python-pptx",
    "fitz": "PyMuPDF",
    "Crypto": "pycryptodome", "serial": "pyserial", "dotenv": "python-dotenv", "jwt": "PyJWT", "MySQLdb": "mysqlclient",
    "psycopg2": "psycopg2-binary", "OpenSSL": "pyOpenSSL", "magic": "python-magic", "usb": "pyusb", "git": "GitPython",
    "googleapiclient": "google-api-python-client", "pkg_resources": "setuptools", "win32api": "pywin32",
    "attr": "attrs",
    "Bio": "biopython", "faiss": "faiss-cpu", "tensorflow_hub": "tensorflow-hub", "umap": "umap-learn",
    "igraph": "igraph",
    "slugify": "python-slugify", "Levenshtein": "Levenshtein", "community": "python-louvain", "graphviz": "graphviz",
    "mpl_toolkits": "matplotlib", "pylab": "matplotlib", "zmq": "pyzmq", "nacl": "PyNaCl", "ruamel": "ruamel.yaml",
}
"""Import name → name of the distribution that brings it."""

BUILTIN_FIX = {
    "eval": "Parse data with json.loads or ast.literal_eval; compute with plain Python.",
    "exec": "Write the code itself.", "compile": "Write the code itself; patterns use re.compile.",
    "__import__": "Use an import statement at the top.",
    "globals": "Use a dict of your own; to ask whether a name is there, set it to None first.",
    "locals": "Use a dict of your own.",
    "vars": "Use dataclasses.asdict, or a dict of your own.", "setattr": "Assign the attribute: obj.name = value.",
    "input": "Nobody answers: declare an input file, or write the value into the program.",
}
"""Denied builtin → what to write instead."""
REUSABLE = frozenset({"vars", "input", "help", "license", "credits", "copyright", "locals"})
"""Denied builtins whose names people give to their own variables; a name bound for certain is not the builtin."""
