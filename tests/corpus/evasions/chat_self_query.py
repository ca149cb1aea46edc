import pandas as pd
class A(pd.DataFrame):
    def go(self, text):
        return self.query(text)
print(A({"a": [1]}).go("@pd.io"))
