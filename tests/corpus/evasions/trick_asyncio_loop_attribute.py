import asyncio
async def main():
    task = asyncio.create_task(asyncio.sleep(0))
    loop = task.get_loop()
    await loop.sock_connect(None, ("1.1.1.1", 1))
asyncio.run(main())
