import tempfile
open(tempfile.gettempdir()[0] + "etc/passwd")
