import asyncio, statistics
async def go():
    return statistics.nothing
async def main():
    found = await asyncio.gather(go(), return_exceptions=True)
    for one in found:
        print(getattr(one, "obj"))
asyncio.run(main())
