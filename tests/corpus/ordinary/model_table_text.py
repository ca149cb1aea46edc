rows = [("apple", 3, 1.5), ("pear", 12, 0.25)]
header = f"{'item':<10}|{'n':>4}|{'price':^9}"
print(header, "-" * len(header), sep="\n")
for name, n, price in rows:
    print(f"{name:<10}|{n:>4d}|{price:^9.2f}")
print("total: %d items, %.2f" % (sum(n for _, n, _ in rows), sum(n * p for _, n, p in rows)))
width = 12
print(f"{'centred':*^{width}}", "=" * width, f"{1234567.891:,.1f}", f"{0.257:.1%}", f"{255:#x} {255:08b} {65:c}")
