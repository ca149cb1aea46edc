from collections import Counter
from pathlib import PurePosixPath
from urllib.parse import parse_qs, urljoin, urlparse

paths = ["/home/ann/a.txt", "/usr/bin/python", "../shared/x.csv", "C:\\temp\\b.txt", "~/notes.md"]
print(Counter(PurePosixPath(path).suffix for path in paths), [path.split("/")[-1] for path in paths])
roots = {path.split("/")[1] for path in paths if path.startswith("/")}
urls = ["https://a.example/x?q=1", "http://b.example:8080/y#top"]
for url in urls:
    parts = urlparse(url)
    print(parts.netloc, parts.path, parse_qs(parts.query), urljoin(url, "../z"))
print(sorted(roots), [p for p in paths if ".." in p], "/".join(["a", "b"]), "a/b/c".rsplit("/", 1))
