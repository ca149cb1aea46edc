import csv
from openpyxl import Workbook
book = Workbook()
sheet = book.active
sheet.append(["item", "price", "count"])
for row in [("a", 2.5, 4), ("b", 1.0, 7)]:
    sheet.append(row)
sheet["D2"] = "=B2*C2"
sheet["D3"] = "=B3*C3"
sheet["D4"] = "=SUM(D2:D3)"
sheet["D5"] = '=IF(D4>10,"a|b","no!")'
sheet["D6"] = '=HYPERLINK("https://example.org/items/a", "a")'
sheet["D7"] = "=Other!A1 + COUNTIF(B:B, \">1\")"
book.save("items.xlsx")
notes = ["- first | second", "+33 1 23 | 'office'", "@team | see below!", "-5|6", "= equals | 'so it is'"]
with open("notes.csv", "w", newline="") as file:
    csv.writer(file, delimiter="|").writerows([note] for note in notes)
print(len("=" * 40 + "|"), "=" * 20)
