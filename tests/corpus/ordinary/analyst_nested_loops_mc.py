import random
random.seed(1)
trials = 200_000
inside = sum(1 for _ in range(trials) if random.random() ** 2 + random.random() ** 2 <= 1)
print(4 * inside / trials)
