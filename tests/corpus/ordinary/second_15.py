import csv, io, statistics as st
raw = "name;score\nAnn;3,5\nBob;4,0\n"
rows = list(csv.DictReader(io.StringIO(raw), delimiter=";"))
scores = [float(r["score"].replace(",", ".")) for r in rows]
print({"mean": st.fmean(scores), "sd": st.stdev(scores), "rows": len(rows)})
