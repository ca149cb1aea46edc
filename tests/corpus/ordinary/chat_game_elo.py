import random
from dataclasses import dataclass, field
@dataclass
class Player:
    name: str
    rating: float = 1500
    history: list[float] = field(default_factory=list, repr=False)
    def expected(self, other: "Player") -> float:
        return 1 / (1 + 10 ** ((other.rating - self.rating) / 400))
    def update(self, score, expected, k=32):
        self.rating += k * (score - expected)
        self.history.append(self.rating)
rng = random.Random("seed")
ps = [Player(n, rng.gauss(1500, 100)) for n in "ABCDEF"]
true = {p.name: p.rating for p in ps}
for rnd in range(200):
    a, b = rng.sample(ps, 2)
    ea = a.expected(b)
    sa = float(rng.random() < 1 / (1 + 10 ** ((true[b.name] - true[a.name]) / 400)))
    a.update(sa, ea); b.update(1 - sa, 1 - ea)
ps.sort(key=lambda p: p.rating, reverse=True)
print(*[f"{i}. {p.name} {p.rating:7.1f} ({len(p.history)} games)" for i, p in enumerate(ps, 1)], sep="\n")
