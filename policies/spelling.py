"""Calls by what they do with a text: keep it, take it apart, or spell characters that nobody wrote."""

import builtins

from .texts import HIDDEN, NOTHING, exact

DEEP = 80
PATHS = frozenset({"Path", "PosixPath", "PurePath", "PurePosixPath"})
SAME = frozenset({
    "str", "repr", "fspath", "normpath", "relpath", "as_posix", "list", "tuple", "set", "frozenset", "sorted", "next",
    "iter",
    "min", "max", "enumerate", "zip", "choice", "choices", "sample", "shuffle", "deepcopy", "copy", "items", "keys",
    "values",
    "get", "pop", "popleft", "popitem", "setdefault", "filter", "dict", "cast", "strftime", "with_suffix", "with_name",
    "with_stem", "splitext", "splitdrive", "relative_to", "encode", "decode", "islice", "chain", "product", "cycle",
    "repeat",
    "append", "deque", "OrderedDict", "defaultdict", "expandvars", "joinpath", "map",
})
"""Calls whose result is among, or made of, what goes in."""
TAKEN_APART = frozenset({"list", "tuple", "set", "sorted", "iter", "min", "max", "choice", "sample", "filter", "chain"})
"""Of these the ones that hand back single characters of a text."""
ABSOLUTE = frozenset({"resolve", "absolute", "abspath", "realpath"})
NUMBERS = frozenset({"int", "float", "len", "round", "abs", "sum", "range", "ord", "randint", "randrange", "count", "index",
                      "bool", "divmod", "hash", "id"})
SPELLERS = frozenset({"chr", "bytes", "bytearray", "translate", "maketrans", "to_bytes", "fromhex", "tobytes", "unhexlify",
                       "unquote", "unquote_plus", "unquote_to_bytes", "unescape", "pack", "decompress", "reduce",
                       "accumulate",
                       "get_configdir", "get_cachedir", "get_include", "get_data_path",
                       "get_library_dirs", "matplotlib_fname",
                       "tostring", "fromlist", "frombytes", "tounicode", "lookup"})
"""Calls that make characters which their arguments do not show."""
SPELLING_MODULES = frozenset({"base64", "binascii", "codecs", "operator", "zlib", "bz2", "lzma", "quopri", "array"})
PARSERS = frozenset({"json.loads", "ast.literal_eval", "tomllib.loads", "html.unescape"})
REARRANGED = frozenset({"reversed", "split", "rsplit", "splitlines", "partition", "rpartition", "rjust", "ljust", "center",
                         "zfill", "expandtabs", "sub", "subn", "fill", "shorten", "dedent", "indent", "substitute",
                         "safe_substitute", "normalize", "group"})
CONSTANTS = {"os.sep": exact("/"), "os.path.sep": exact("/"), "os.altsep": NOTHING, "os.pardir": exact(".."),
              "os.curdir": exact("."), "os.path.pardir": exact(".."), "os.defpath": HIDDEN, "os.devnull": HIDDEN}
OWN_METHODS = frozenset({"read_text", "read_bytes", "write_text", "write_bytes", "open", "iterdir", "mkdir", "touch",
                          "unlink", "rmdir", "glob", "rglob", "exists", "is_file", "is_dir", "stat", "rename",
                          "replace", "samefile"})
"""Methods of a Path that open, list or change what it names."""
SQL = frozenset({"execute", "executemany", "executescript", "read_sql", "read_sql_query"})
DESCRIPTORS = frozenset({"open", "FileIO", "fdopen", "listdir", "scandir", "stat", "fromfile"})
TWO = frozenset({"copy", "copy2", "copyfile", "move", "rename", "replace", "copytree", "write", "json_dump", "math_to_image",
                 "thumbnail", "write_table", "write_feather", "write_metadata", "write_to_dataset", "glob0", "glob1",
                 "mkstemp", "mkdtemp", "mktemp", "NamedTemporaryFile", "TemporaryDirectory"})
"""Calls that take two paths, or one that is not their first argument."""
ONLY_OF_PATHS = frozenset({"read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "rglob", "is_file", "is_dir",
                           "rmdir", "touch"})
"""Methods that nothing but a Path has."""
AS_BYTES = frozenset({"tobytes", "to_bytes", "fromhex", "unhexlify"})
"""Calls that spell text by numbers, whoever owns them."""
BUILTINS = frozenset(dir(builtins))
"""Names that mean something before anything is bound; alone they are no data."""
