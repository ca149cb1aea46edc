class memoize:
    def __init__(self, func):
        self.func = func
        self.cache = {}

    def __call__(self, *args):
        if args not in self.cache:
            self.cache[args] = self.func(*args)
        return self.cache[args]


@memoize
def ways(n, coins=(1, 5, 10)):
    if n == 0:
        return 1
    if n < 0 or not coins:
        return 0
    return ways(n - coins[-1], coins) + ways(n, coins[:-1])


print(ways(100), len(ways.cache))
