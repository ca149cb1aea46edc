import matplotlib.pyplot as plt, json
t = plt.title("x")
plt.setp(t, **json.load(open("a.json")))
