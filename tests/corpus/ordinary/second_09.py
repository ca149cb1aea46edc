from fractions import Fraction
from itertools import combinations, accumulate, groupby, product
from functools import reduce
import operator
print(reduce(operator.mul, [Fraction(1, 2), Fraction(2, 3)]), list(accumulate([1, 2, 3], operator.add)))
print([(k, list(g)) for k, g in groupby("aab")], len(list(combinations(range(5), 2))), list(product("ab", repeat=2))[:1])
