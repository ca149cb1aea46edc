try:
    import pathlib as files
except ImportError:
    files = None
files.os.system("id")
