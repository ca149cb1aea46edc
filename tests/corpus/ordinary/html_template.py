rows = [("a", 1), ("b", 2)]
body = "".join(f"<tr><td>{k}</td><td>{v}</td></tr>" for k, v in rows)
with open("report.html", "w", encoding="utf-8") as fh:
    fh.write(f"<!DOCTYPE html><a href='https://example.org/x'>link</a><table>{body}</table>")
