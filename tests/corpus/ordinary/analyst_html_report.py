rows = [("a", 1), ("b", 2)]
html = "<html><head><link href='https://cdn.example.com/style.css'></head><body><table>"
html += "".join(f"<tr><td>{n}</td><td>{v}</td></tr>" for n, v in rows)
html += "</table></body></html>"
with open("output/report.html", "w", encoding="utf-8") as f:
    f.write(html)
