class Report:
    ROW = "{:>5}"

    def line(self, value):
        return self.ROW.format(value)


report = Report()
report.ROW, number = open("template.txt").read().split("|")
print(report.line(3))
