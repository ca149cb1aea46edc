import heapq
from dataclasses import dataclass, field


@dataclass(order=True)
class Task:
    priority: int
    name: str = field(compare=False)
    _seen: bool = field(default=False, compare=False, repr=False)


queue = [Task(3, "c"), Task(1, "a"), Task(2, "b")]
heapq.heapify(queue)
while queue:
    task = heapq.heappop(queue)
    task._seen = True
    print(task.priority, task.name, task._seen)
