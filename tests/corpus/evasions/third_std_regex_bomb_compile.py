import re
p = re.compile("(?:[a-z]+)*!")
print(p.search("a" * 60))
