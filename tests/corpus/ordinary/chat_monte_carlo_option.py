import numpy as np
from scipy.stats import norm
import matplotlib.pyplot as plt


class GBM:
    """Geometric Brownian motion."""

    def __init__(self, s0: float, mu: float, sigma: float, *, seed: int | None = 42):
        self.s0, self.mu, self.sigma = s0, mu, sigma
        self._rng = np.random.default_rng(seed)

    def simulate(self, horizon: float, steps: int, paths: int) -> np.ndarray:
        dt = horizon / steps
        shocks = self._rng.standard_normal((steps, paths))
        increments = (self.mu - 0.5 * self.sigma**2) * dt + self.sigma * np.sqrt(dt) * shocks
        return self.s0 * np.exp(np.vstack([np.zeros(paths), np.cumsum(increments, axis=0)]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(s0={self.s0!r}, mu={self.mu!r}, sigma={self.sigma!r})"


def black_scholes(s, k, r, sigma, t):
    d1 = (np.log(s / k) + (r + sigma**2 / 2) * t) / (sigma * np.sqrt(t))
    d2 = d1 - sigma * np.sqrt(t)
    return s * norm.cdf(d1) - k * np.exp(-r * t) * norm.cdf(d2)


model = GBM(100, 0.03, 0.2)
paths = model.simulate(1.0, 252, 20_000)
payoff = np.maximum(paths[-1] - 105, 0)
price = np.exp(-0.03) * payoff.mean()
stderr = np.exp(-0.03) * payoff.std(ddof=1) / np.sqrt(payoff.size)
print(f"{model}: MC {price:.3f} ± {1.96 * stderr:.3f}, BS {black_scholes(100, 105, .03, .2, 1):.3f}")
fig, (left, right) = plt.subplots(1, 2, figsize=(12, 4), gridspec_kw={"width_ratios": [3, 1]}, sharey=True)
left.plot(paths[:, :50], lw=0.6, alpha=0.7)
right.hist(paths[-1], bins=60, orientation="horizontal", density=True)
for a in (left, right):
    a.spines[["top", "right"]].set_visible(False)
plt.suptitle("Simulated prices")
plt.savefig("output/paths.png", bbox_inches="tight")
