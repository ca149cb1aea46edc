from pypdf import PdfWriter
PdfWriter().write(chr(47) + "etc/x.pdf")
