from string import Template
from datetime import date
import csv, os
tpl = Template("""Dear $name,
your balance on $day is $$${amount}.
""")
os.makedirs("output/letters", exist_ok=True)
with open("customers.csv", newline="") as f:
    for i, row in enumerate(csv.DictReader(f), 1):
        text = tpl.safe_substitute(name=row["name"].title(), day=f"{date.today():%d %B %Y}", amount=f"{float(row['balance']):,.2f}")
        with open(f"output/letters/{i:03d}.txt", "w") as out:
            out.write(text)
print("wrote", len(os.listdir("output/letters")))
