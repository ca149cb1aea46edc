w, p = 10, 2
x = 3.14159
print(f"{x:{w}.{p}f} {x!r:>{w}} {x=} {'a' if x > 3 else 'b'} {f'{x:.1f}'}")
