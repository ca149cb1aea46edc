import asyncio
import json
import random
from dataclasses import asdict, dataclass, field
from typing import AsyncIterator


@dataclass(order=True)
class Job:
    priority: int
    name: str = field(compare=False)
    result: float | None = field(default=None, compare=False)


async def produce(n: int) -> AsyncIterator[Job]:
    for i in range(n):
        await asyncio.sleep(0)
        yield Job(random.randint(1, 5), f"job-{i}")


async def worker(queue: asyncio.Queue, results: list[Job]) -> None:
    while True:
        job = await queue.get()
        if job is None:
            queue.task_done()
            break
        job.result = job.priority ** 0.5
        results.append(job)
        queue.task_done()


async def main() -> None:
    random.seed(1)
    queue: asyncio.Queue = asyncio.Queue(maxsize=10)
    results: list[Job] = []
    workers = [asyncio.create_task(worker(queue, results)) for _ in range(3)]
    async for job in produce(25):
        await queue.put(job)
    for _ in workers:
        await queue.put(None)
    await asyncio.gather(*workers)
    async with asyncio.timeout(5):
        await queue.join()
    print(json.dumps([asdict(j) for j in sorted(results)[:5]], indent=2))


asyncio.run(main())
