import pandas as pd
df = pd.DataFrame({"age": [20, 40], "city name": ["a", "b"]})
print(df.query("age > 30 and `city name` == 'b'").shape)
