import re
from string import Template
import pandas as pd
class Dotted(Template):
    idpattern = r"[a-z]+(?:\.[a-z]+)*"
print(Dotted("$user.name").substitute({"user.name": "x"}))
version = re.compile(r"(\d+\.)+\d+")
words = re.compile(r"^(?:\w+\s?)+$")
number = re.compile(r"[+-]?(?:\d+(?:,\d{3})*)(?:\.\d+)?")
print(version.match("1.2.3"), words.search("a b"), number.findall("1,000.5"))
print(re.sub(r"(\s*\n)+", "\n", "a\n\nb"), re.split(r"(?:,\s*)+", "a, b"), re.findall(r"(?:ab)+|(?:cd)*", "abcd"))
names = pd.Series(["a-1", "b-2"])
print(names.str.extract(r"([a-z]+)-(\d+)"), names.str.replace(r"(-)+", "_", regex=True), names.str.contains("a|b"))
