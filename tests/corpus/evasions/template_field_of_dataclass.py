from dataclasses import dataclass


@dataclass
class Report:
    ROW: str = "{:>5}"

    def line(self, value):
        return self.ROW.format(value)


print(Report(open("template.txt").read()).line(3))
