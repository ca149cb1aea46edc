import pandas as pd
df = pd.DataFrame({"a": [0.5, 0.25]})
html = df.style.format("{:.1%}").hide(axis="index").to_html()
print(len(html) > 10)
