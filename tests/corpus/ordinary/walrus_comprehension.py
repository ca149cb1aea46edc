data = [1, 5, 8]
print([y for x in data if (y := x * 2) > 4], any((hit := x) > 6 for x in data), hit)
