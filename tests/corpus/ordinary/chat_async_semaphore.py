import asyncio, time, random
async def fetch_row(i: int, sem: asyncio.Semaphore) -> dict:
    async with sem:
        await asyncio.sleep(random.uniform(0, .01))
        if i == 7:
            raise ValueError(f"row {i} broken")
        return {"i": i, "sq": i * i}
async def main():
    sem = asyncio.Semaphore(4)
    results = await asyncio.gather(*(fetch_row(i, sem) for i in range(20)), return_exceptions=True)
    good = [r for r in results if not isinstance(r, BaseException)]
    bad = [r for r in results if isinstance(r, Exception)]
    print(len(good), [f"{type(b).__name__}: {b}" for b in bad])
    try:
        await asyncio.wait_for(asyncio.sleep(10), timeout=.01)
    except (asyncio.TimeoutError, TimeoutError):
        print("timed out")
    async with asyncio.TaskGroup() as tg:
        tasks = [tg.create_task(fetch_row(i, sem), name=f"t{i}") for i in range(3)]
    print(sum(t.result()["sq"] for t in tasks))
    loop_time = time.perf_counter()
    done, pending = await asyncio.wait([asyncio.create_task(fetch_row(1, sem))], timeout=1)
    print(len(done), len(pending), time.perf_counter() - loop_time < 1)
if __name__ == "__main__":
    asyncio.run(main())
