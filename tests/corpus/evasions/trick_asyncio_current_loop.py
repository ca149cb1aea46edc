import asyncio
async def main():
    print(asyncio.get_running_loop())
asyncio.run(main())
