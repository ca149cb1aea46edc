import re
re.search("(a+?)+?$", "a" * 40 + "b")
