import random, heapq, statistics
from dataclasses import dataclass, field
from typing import Optional

@dataclass(order=True)
class Event:
    time: float
    kind: str = field(compare=False)
    customer: Optional[int] = field(compare=False, default=None)

class Bank:
    def __init__(self, tellers=2, seed=0):
        self.rng = random.Random(seed)
        self.free = tellers
        self.queue = []
        self.events = []
        self.waits = []
        self.arrived = {}
    def schedule(self, delay, kind, customer=None):
        heapq.heappush(self.events, Event(self.now + delay, kind, customer))
    def run(self, until=480):
        self.now = 0.0
        cid = 0
        self.schedule(self.rng.expovariate(1 / 3), "arrive", cid)
        while self.events and self.now < until:
            ev = heapq.heappop(self.events)
            self.now = ev.time
            handler = {"arrive": self.on_arrive, "depart": self.on_depart}[ev.kind]
            handler(ev.customer)
            if ev.kind == "arrive":
                cid += 1
                self.schedule(self.rng.expovariate(1 / 3), "arrive", cid)
        return self
    def on_arrive(self, c):
        self.arrived[c] = self.now
        if self.free:
            self.free -= 1
            self.start(c)
        else:
            self.queue.append(c)
    def start(self, c):
        self.waits.append(self.now - self.arrived.pop(c))
        self.schedule(max(0.1, self.rng.normalvariate(5, 1.5)), "depart", c)
    def on_depart(self, c):
        if self.queue:
            self.start(self.queue.pop(0))
        else:
            self.free += 1

results = {k: statistics.fmean(Bank(k, s).run().waits.__iter__()) if False else statistics.fmean(Bank(k, 1).run().waits) for k in (1, 2, 3) for s in (1,)}
print(results)
