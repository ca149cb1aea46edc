import re
import textwrap
from html import escape, unescape
from string import Template

PATTERN = re.compile(r"^[\w.+-]+@[\w-]+\.[\w.]+$")
people = [{"name": "Ann <b>", "mail": "ann@x.org"}, {"name": "Bo", "mail": "bad"}]
letter = Template("Dear $name,\n$body\n")
for person in people:
    ok = bool(PATTERN.fullmatch(person["mail"]))
    print(letter.safe_substitute(name=escape(person["name"]), body=textwrap.fill("text " * 20, 40)), ok, unescape("&lt;"))
page = "<table>" + "".join(f"<tr><td>{escape(p['name'])}</td></tr>" for p in people) + "</table>"
with open("people.html", "w", encoding="utf-8") as file:
    file.write(f"<!doctype html><html><body>{page}</body></html>")
