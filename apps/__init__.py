"""The ways in: the command line, the Python entry points, and later the page and the servers."""
