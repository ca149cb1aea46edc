import pandas as pd
print(pd.read_xml("x.xml", stylesheet="style.xsl"))
