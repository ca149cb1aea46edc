import html

import pandas as pd

df = pd.DataFrame({"a": ["<b>"]})
# ruleid: no-unescaped-html
page = df.to_html("table.html", escape=False)
# ruleid: no-unescaped-html
page = "<h1>x</h1><script>alert(1)</script>"

# ok: no-unescaped-html
page = df.to_html("table.html")
# ok: no-unescaped-html
cell = html.escape("<b>")
# ok: no-unescaped-html
page = "<table><tr><td>1</td></tr></table>"
