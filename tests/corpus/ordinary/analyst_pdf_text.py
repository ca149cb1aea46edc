from pypdf import PdfReader
reader = PdfReader("in.pdf")
text = "\n".join(page.extract_text() or "" for page in reader.pages)
print(len(reader.pages), reader.metadata.title if reader.metadata else None, text[:200])
