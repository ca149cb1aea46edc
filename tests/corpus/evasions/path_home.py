import pathlib
pathlib.Path.home()
