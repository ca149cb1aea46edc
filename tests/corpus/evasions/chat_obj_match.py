import asyncio, statistics
async def go():
    return statistics.nothing
async def main():
    for one in await asyncio.gather(go(), return_exceptions=True):
        match one:
            case AttributeError(obj=thing):
                print(thing)
asyncio.run(main())
