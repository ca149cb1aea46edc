import statistics
print(f"{1:{statistics.sys.maxsize}}")
