markdown = """# Report
See [docs](https://example.org/docs) and `/usr/local/bin`.
"""
with open("report.md", "w", encoding="utf-8") as fh:
    fh.write(markdown)
links = [w for w in markdown.split() if w.startswith("[")]
print(len(links))
