import asyncio
async def work(): pass
async def main():
    loop = asyncio.create_task(work()).get_loop()
    try:
        print(await loop.getnameinfo(("8.8.8.8", 53)))
    except Exception as error:
        print("REACHED", type(error).__name__, error)
asyncio.run(main())
