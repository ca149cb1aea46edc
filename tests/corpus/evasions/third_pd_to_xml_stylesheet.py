import pandas as pd
pd.DataFrame({"a": [1]}).to_xml("x.xml", stylesheet="style.xsl")
