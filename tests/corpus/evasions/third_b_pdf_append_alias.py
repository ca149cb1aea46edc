from pypdf import PdfWriter
add = PdfWriter().append
add(chr(47) + "etc/x.pdf")
