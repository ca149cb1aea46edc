import tempfile
tempfile.mkdtemp(dir=chr(47) + "tmp")
