import unicodedata
open(unicodedata.normalize("NFKC", "\uff0fetc\uff0fpasswd"))
