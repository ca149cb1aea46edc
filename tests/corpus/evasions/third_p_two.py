import re
re.search(r"(\s*\w*)*!", "a" * 40)
