a = [1, 2]
b = *a, 3
def f():
    return *a, 4
for i in *a, 9:
    print(i)
print(b, f(), {**{"x": 1}, "y": 2}, [*a, *b], max(*a))
