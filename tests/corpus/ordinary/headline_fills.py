title, width = "Sales by region", 48
print(f"{title:=^48}")
print(f"{title:=^{width}}|{width:=+6}|{title!r:=<30}")
for region, total in {"north": 1250.5, "south": 980.0}.items():
    print(f"{region:.<30}{total:=>18,.2f}")
