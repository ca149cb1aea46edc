class Report:
    ROW = "{:>5}"

    def set(self, text=(ROW := open("template.txt").read())):
        return text

    def line(self, value):
        return self.ROW.format(value)


print(Report().line(Report()))
