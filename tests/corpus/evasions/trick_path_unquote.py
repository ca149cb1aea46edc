from urllib.parse import unquote
open(unquote("%2fetc%2fpasswd"))
