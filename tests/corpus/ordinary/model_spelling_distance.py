from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache


@lru_cache(maxsize=None)
def distance(a, b):
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return distance(a[1:], b[1:])
    return 1 + min(distance(a[1:], b), distance(a, b[1:]), distance(a[1:], b[1:]))


print(distance("kitten", "sitting"), get_close_matches("appel", ["apple", "ape"]), distance.cache_info().currsize)
print(round(SequenceMatcher(None, "abcd", "bcde").ratio(), 3))
