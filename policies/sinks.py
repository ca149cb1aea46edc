"""Calls by what they do with a path: open it, keep it as data, or answer something that is no path."""

SINKS = frozenset({
    "open", "Path", "PosixPath", "joinpath", "with_name", "FileIO", "open_code", "fdopen",
    "read_csv", "read_table", "read_json", "read_excel", "read_parquet", "read_feather", "read_orc", "read_html",
    "read_xml",
    "read_hdf", "read_fwf", "read_stata", "read_sas", "read_spss", "read_sql", "read_pickle", "read_image",
    "read_schema",
    "to_csv", "to_json", "to_excel", "to_parquet", "to_html", "to_latex", "to_markdown", "to_feather", "to_hdf",
    "to_stata",
    "to_xml", "to_sql", "to_pickle", "to_orc", "to_string", "ExcelWriter", "ExcelFile", "HDFStore", "ParquetFile",
    "ParquetWriter",
    "load", "loadtxt", "genfromtxt", "fromfile", "fromregex", "savetxt", "save", "savez", "savez_compressed",
    "tofile", "memmap",
    "loadmat", "savemat", "mmread", "mmwrite", "load_npz", "save_npz", "savefig", "imread", "imsave", "imwrite",
    "load_workbook",
    "connect", "glob", "iglob", "rglob", "ZipFile", "is_zipfile", "GzipFile", "BZ2File", "LZMAFile", "TarFile",
    "PdfReader",
    "PdfWriter", "PdfPages", "extractall", "extract", "FileHandler", "TemporaryDirectory", "NamedTemporaryFile",
    "mkdtemp",
    "mkstemp", "chdir", "listdir", "scandir", "walk", "makedirs", "remove", "unlink", "rmdir", "symlink_to",
    "hardlink_to",
    "copy2", "copyfile", "copytree", "move", "make_archive", "rmtree", "read_file", "DataSource", "urlopen",
    "urlretrieve",
    "parse", "write_image", "write_html", "truetype", "fileConfig", "input_file", "OSFile", "memory_map",
    "input_stream", "output_stream", "dataset", "write_dataset", "open_csv", "write_csv", "open_stream", "open_file",
    "new_file", "read_metadata", "read_mime_types", "load_path", "findSystemFonts", "addfont", "FontProperties",
    "load_default",
    "basicConfig", "RotatingFileHandler", "TemporaryFile", "SpooledTemporaryFile", "reset_tzpath", "merge_page",
    "get_font", "openfile", "writepy", "init", "glob0", "glob1", "MimeTypes", "mktemp", "dump",
    "show_versions", "tz_localize", "tz_convert", "bindtextdomain",
    "loadarff", "netcdf_file", "FortranFile", "readsav", "whosmat", "mminfo", "hb_read", "hb_write", "matfile_version",
    "fromtextfile",
    "rc_params_from_file", "read_style_directory", "to_filehandle", "open_file_cm", "get_sample_data", "json_load",
    "json_dump",
    "afmFontProperty", "is_opentype_cff_font", "findfont", "set_file", "thumbnail", "math_to_image", "print_figure",
    "print_png", "print_pdf", "print_svg", "print_ps", "print_eps", "print_jpg", "print_raw",
    "ImageCmsProfile", "getOpenProfile", "profileToProfile", "buildTransform", "buildProofTransform", "TarIO", "load_lut",
    "save_lut", "isSpiderImage", "loadImageSeries", "ExcelReader", "save_workbook",
    "ParquetDataset", "parquet_dataset", "read_pandas", "write_table", "write_feather", "write_metadata",
    "write_to_dataset",
    "ORCFile", "ORCWriter", "CSVWriter", "RecordBatchFileReader", "RecordBatchFileWriter", "RecordBatchStreamReader",
    "RecordBatchStreamWriter", "new_stream", "open_json", "from_paths", "create_memory_map", "set_timezone_db_path",
    "download",
})
"""Last names of calls that open, list or change files by a path among their arguments."""
OS_SINKS = frozenset({"stat", "exists", "isfile", "isdir", "islink", "samefile", "getsize", "getmtime", "getctime",
                       "getatime", "realpath", "removedirs", "mkdir", "rename", "replace",
                       "copy", "access"})
OF_SYSTEM = frozenset({"remove", "listdir", "scandir", "walk", "makedirs", "removedirs", "move", "copy2", "copyfile",
                       "copytree", "rmtree"})
"""Those that only os and shutil have: `words.remove(word)` of a list and `robot.move(step)` open nothing."""
PURE_MODULES = frozenset({
    "re", "urllib", "json", "html", "string", "textwrap", "difflib", "collections", "itertools", "functools",
    "operator",
    "fnmatch", "datetime", "time", "calendar", "math", "cmath", "decimal", "fractions", "statistics", "random",
    "secrets",
    "hashlib", "hmac", "base64", "binascii", "struct", "uuid", "unicodedata", "typing", "dataclasses", "enum", "abc",
    "copy", "queue", "bisect", "heapq", "ipaddress", "pprint", "reprlib", "warnings", "contextlib", "csv", "ast",
    "zlib",
    "tabulate", "argparse", "asyncio", "types", "colorsys", "graphlib", "keyword", "numbers", "array", "tomllib",
})
"""Modules that open nothing, whatever text they are given."""
DATA_CALLS = frozenset({
    "DataFrame", "Series", "Index", "MultiIndex", "Categorical", "array", "asarray", "table", "Table", "from_pylist",
    "from_pydict",
    "to_datetime", "to_numeric", "unique", "concat", "where", "select", "full", "vectorize", "string", "scalar",
    "field",
    "suptitle", "figtext", "log", "critical", "exception", "getLogger", "set_option", "rc", "rcParams", "use",
    "guess_type",
    "Formatter", "legend", "label", "Text", "isin", "date_range",
})
"""Calls of libraries that keep a text as it is."""
SYSTEM = frozenset({"os", "os.path", "shutil"})
HARMLESS = frozenset({
    "print", "len", "isinstance", "startswith", "endswith", "split", "rsplit", "partition", "rpartition", "find",
    "rfind", "index",
    "count", "match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "compile", "sum", "sorted_by",
    "min", "max",
    "urlparse", "urlsplit", "parse_qs", "PurePath", "PurePosixPath", "PureWindowsPath", "dumps", "Counter",
    "contains", "warning",
    "info", "debug", "error", "write", "write_text", "writerow", "writerows", "append_text", "set_title", "title",
    "xlabel", "ylabel",
    "text", "annotate", "isin", "get_dummies", "value_counts", "nunique", "bool", "int", "float", "hash", "ord",
})
"""Calls whose result is no path, whatever goes in."""
KEYWORDS = frozenset({"file", "path", "fname", "filename", "filenames", "files", "filepath_or_buffer", "path_or_buf",
                       "path_or_buffer", "io", "dir", "root", "src", "dst", "database", "excel_writer", "where",
                       "source",
                       "target", "filepath", "fontpaths", "name", "paths", "root_dir", "top", "buf", "fp", "fileobj",
                       "prefix", "suffix", "base_dir", "root_path", "as_json", "uncompressed_file_name", "other_path",
                       "infile", "thumbfile", "sink", "metadata_path", "clone_from", "tz", "filename_or_obj"})
"""Keywords that take paths."""
