import re
from pathlib import Path
from pypdf import PdfReader, PdfWriter, Transformation
from pypdf.errors import PdfReadError

pdfs = sorted(Path(".").glob("*.pdf"))
totals = {}
for pdf in pdfs:
    try:
        reader = PdfReader(pdf)
    except PdfReadError as err:
        print(f"skip {pdf.name}: {err}")
        continue
    if reader.is_encrypted:
        reader.decrypt("")
    text = "\n".join(page.extract_text() or "" for page in reader.pages)
    meta = reader.metadata
    print(pdf.stem, len(reader.pages), meta.title if meta else None, meta.get("/Author") if meta else None)
    for m in re.finditer(r"Total[:\s]+(?:EUR|€)?\s*([\d.,]+)", text, flags=re.I | re.M):
        totals.setdefault(pdf.name, []).append(float(m[1].replace(",", "")))
writer = PdfWriter()
for pdf in pdfs:
    writer.append(str(pdf), pages=(0, 1))
writer.pages[0].rotate(90)
writer.add_metadata({"/Title": "First pages"})
writer.add_outline_item("Start", 0)
with open("output/first_pages.pdf", "wb") as fp:
    writer.write(fp)
print(totals)
