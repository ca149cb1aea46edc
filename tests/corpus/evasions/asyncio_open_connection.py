import asyncio
async def main():
    await asyncio.open_connection("127.0.0.1", 80)
asyncio.run(main())
