columns, rows = ["name", "units", "price"], [("pen", 12, 1.5), ("book", 3, 12.25)]
line = "{:<12}" + "{:>10}" * (len(columns) - 1)
print(line.format(*columns))
for row in rows:
    print(" | ".join(["{:>10}"] * len(row)).format(*row))
print(("{:02x}" * 3).format(255, 128, 0))


class Report:
    ROW = "{:<12}{:>8.2f}"

    def __init__(self, english):
        self.day = "{0.month}/{0.day}" if english else "{0.day}.{0.month}."

    def row(self, name, value):
        return self.ROW.format(name, value)

    def head(self, date):
        return self.day.format(date)

    @classmethod
    def rule(cls):
        return cls.ROW.format("-" * 12, 0)


report = Report(english=False)
print(report.row("pen", 1.5), Report.ROW.format("book", 2), report.rule())
