from string import ascii_lowercase, ascii_uppercase
from collections import Counter
english = dict(zip(ascii_lowercase, [8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2.0, 6.1, 7.0, .15, .77, 4.0, 2.4, 6.7, 7.5, 1.9, .095, 6.0, 6.3, 9.1, 2.8, .98, 2.4, .15, 2.0, .074]))
def shift(text, k):
    table = str.maketrans(ascii_lowercase + ascii_uppercase, ascii_lowercase[k:] + ascii_lowercase[:k] + ascii_uppercase[k:] + ascii_uppercase[:k])
    return text.translate(table)
def chi2(text):
    letters = [c for c in text.lower() if c in english]
    n = len(letters)
    obs = Counter(letters)
    return sum((obs[c] - n * e / 100) ** 2 / (n * e / 100) for c, e in english.items()) if n else float("inf")
def decode(secret):
    return min((shift(secret, k) for k in range(26)), key=chi2)
secret = shift("The quick brown fox jumps over the lazy dog and runs away", 7)
print(secret, "->", decode(secret))
