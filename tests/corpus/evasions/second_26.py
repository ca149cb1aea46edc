import tempfile
tempfile.tempdir = "/etc"
