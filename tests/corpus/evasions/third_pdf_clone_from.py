from pypdf import PdfWriter
PdfWriter(clone_from=chr(47) + "etc/x.pdf")
