rows = [["a", 1], ["b", 22]]
widths = [max(len(str(r[i])) for r in rows) for i in range(2)]
print("\n".join(" | ".join(str(c).ljust(w) for c, w in zip(r, widths)) for r in rows))
print("=" * 40, "-" * 20, sep="\n")
