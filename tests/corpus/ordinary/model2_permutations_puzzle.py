from itertools import combinations, permutations, product

for a, b, c in permutations(range(1, 10), 3):
    if (100 * a + 10 * b + c) == a**3 + b**3 + c**3:
        print(a, b, c)
board = [[0] * 8 for _ in range(8)]


def queens(row=0, columns=frozenset(), left=frozenset(), right=frozenset()):
    if row == 8:
        return 1
    return sum(queens(row + 1, columns | {c}, left | {row - c}, right | {row + c})
               for c in range(8) if c not in columns and row - c not in left and row + c not in right)


print(queens(), len(list(combinations("abcd", 2))), sum(1 for _ in product("ab", repeat=3)))
