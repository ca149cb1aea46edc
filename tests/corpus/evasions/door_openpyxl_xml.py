from openpyxl.xml.functions import fromstring
bomb = "<!DOCTYPE a [<!ENTITY b 'xx'><!ENTITY c '&b;&b;'>]><a>&c;</a>"
print("REACHED", fromstring(bomb).text)
