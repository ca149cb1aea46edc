from html.parser import HTMLParser
from pathlib import Path


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []
        self._inside = False

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self._inside = True
            self.links.append(dict(attrs).get("href", ""))

    def handle_endtag(self, tag):
        if tag == "a":
            self._inside = False


parser = Links()
parser.feed(Path("page.html").read_text(encoding="utf-8"))
print(parser.links)
