import statistics
values = [1, 2, 3]
print(getattr(statistics, "mean")(values), hasattr(statistics, "fmean"))
