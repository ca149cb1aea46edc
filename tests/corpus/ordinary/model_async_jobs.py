import asyncio


async def fetch(name, delay):
    await asyncio.sleep(delay)
    return name, delay


async def main():
    results = await asyncio.gather(*(fetch(f"job-{n}", n / 100) for n in range(3)))
    queue = asyncio.Queue()
    for item in results:
        await queue.put(item)
    return [await queue.get() for _ in results]


print(asyncio.run(main()))
