import itertools
def primes():
    for n in itertools.count(2):
        if all(n % p for p in range(2, int(n ** .5) + 1)):
            yield n
print(list(itertools.islice(primes(), 20)))
