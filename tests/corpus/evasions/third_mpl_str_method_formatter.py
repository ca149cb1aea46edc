from matplotlib.ticker import StrMethodFormatter
f = StrMethodFormatter("{x." + "_" * 2 + "class" + "_" * 2 + "}")
print(f(1, 0))
