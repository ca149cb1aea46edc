import pandas as pd


class Tree:
    def query(self, place):
        return place


table = pd.read_csv("a.csv")
text = open("rule.txt").read()
print(Tree().query(3), table.query(text))
