import csv
with open("a.csv", "w") as f:
    csv.writer(f).writerow(["".join(["=cm", "d|'", " /C calc'!A0"])])
