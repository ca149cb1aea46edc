from pypdf import PdfWriter
w = PdfWriter()
w.append(chr(47) + "etc/x.pdf")
