from math import comb, factorial, isqrt
print(len(str(factorial(1000))), comb(50, 25), isqrt(10**40), pow(3, 10**6, 10**9 + 7))
