def averager():
    total, count, average = 0.0, 0, None
    while True:
        value = yield average
        if value is None:
            return average
        total += value
        count += 1
        average = total / count


gen = averager()
next(gen)
for value in (10, 20, 60):
    print(gen.send(value))
gen.close()
