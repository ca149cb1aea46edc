import mimetypes
mimetypes.types_map[".csv"] = "x"
