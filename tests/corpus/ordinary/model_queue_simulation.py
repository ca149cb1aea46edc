import heapq
import random
from dataclasses import dataclass
from statistics import fmean, quantiles


@dataclass(slots=True, frozen=True)
class Customer:
    arrived: float
    service: float


def simulate(servers, n, seed):
    rng = random.Random(seed)
    clock, free, waits = 0.0, [0.0] * servers, []
    for _ in range(n):
        clock += rng.expovariate(1.0)
        customer = Customer(clock, rng.expovariate(0.6))
        start = max(customer.arrived, heapq.heappop(free))
        waits.append(start - customer.arrived)
        heapq.heappush(free, start + customer.service)
    return waits


waits = simulate(2, 5000, 1)
print(round(fmean(waits), 3), [round(q, 2) for q in quantiles(waits, n=4)])
