import mimetypes
mimetypes.MimeTypes(filenames=("/etc/passwd",))
