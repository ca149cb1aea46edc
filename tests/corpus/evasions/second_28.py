import io
io.FileIO("/etc/passwd").read()
