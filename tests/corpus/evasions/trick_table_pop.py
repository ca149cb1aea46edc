import mimetypes
known = mimetypes.encodings_map
known.clear()
