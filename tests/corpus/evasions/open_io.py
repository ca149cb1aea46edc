import io
io.open("/etc/passwd")
