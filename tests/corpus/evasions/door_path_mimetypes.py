import mimetypes
print("REACHED", mimetypes.read_mime_types("/etc/passwd"))
