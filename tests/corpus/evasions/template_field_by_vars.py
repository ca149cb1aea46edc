class Report:
    ROW = "{:>5}"

    def line(self, value):
        return self.ROW.format(value)


report = Report()
vars(report)["ROW"] = open("template.txt").read()
print(report.line(3))
