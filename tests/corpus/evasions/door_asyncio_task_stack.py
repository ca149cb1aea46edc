import asyncio
async def work():
    await asyncio.sleep(0)
async def main():
    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    print("REACHED", task.get_stack(), task.get_loop())
asyncio.run(main())
