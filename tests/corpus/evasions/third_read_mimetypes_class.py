import mimetypes
m = mimetypes.MimeTypes([chr(47) + "etc" + chr(47) + "passwd"])
print(m.types_map)
