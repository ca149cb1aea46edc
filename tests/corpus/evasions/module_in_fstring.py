import statistics
print(f"{statistics.sys.modules}")
