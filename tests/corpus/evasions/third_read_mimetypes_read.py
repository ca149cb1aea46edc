import mimetypes
mimetypes.MimeTypes().read(chr(47) + "etc/passwd")
