import mimetypes
mimetypes.init(files=["/opt/data/mime.types"])
print("REACHED")
