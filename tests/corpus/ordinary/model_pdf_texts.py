from pathlib import Path

from pypdf import PdfReader, PdfWriter

writer = PdfWriter()
words = {}
for path in sorted(Path("pdfs").glob("*.pdf")):
    reader = PdfReader(path)
    words[path.name] = sum(len((page.extract_text() or "").split()) for page in reader.pages)
    writer.add_page(reader.pages[0])
with open("firsts.pdf", "wb") as file:
    writer.write(file)
print(words)
