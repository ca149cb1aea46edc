from html.parser import HTMLParser
from html import escape, unescape
from urllib.parse import urlparse, parse_qs, urlencode, urljoin, quote_plus
import json

class TableParser(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tables, self.links = [], []
        self._row = self._cell = None
    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self._row = []
        elif tag in ("td", "th") and self._row is not None:
            self._cell = []
        elif tag == "a" and "href" in attrs:
            self.links.append(urljoin("https://shop.example/catalog/", attrs["href"]))
    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data.strip())
    def handle_endtag(self, tag):
        if tag in ("td", "th") and self._cell is not None:
            self._row.append(" ".join(filter(None, self._cell)))
            self._cell = None
        elif tag == "tr" and self._row:
            self.tables[-1].append(self._row)
            self._row = None

p = TableParser()
with open("page.html", encoding="utf-8") as f:
    p.feed(f.read())
p.close()
hosts = {}
for link in p.links:
    u = urlparse(link)
    hosts.setdefault(u.netloc, []).append({"path": u.path, "query": parse_qs(u.query)})
header, *rows = p.tables[0]
records = [dict(zip(header, r)) for r in rows]
with open("output/table.html", "w", encoding="utf-8") as f:
    f.write("<table>" + "".join("<tr>" + "".join(f"<td>{escape(str(v))}</td>" for v in r.values()) + "</tr>" for r in records) + "</table>")
print(json.dumps(hosts, indent=2), urlencode({"q": "a b", "n": 1}), quote_plus("ä/b"), unescape("&euro;"))
