import asyncio
async def work(): pass
async def main():
    loop = asyncio.create_task(work()).get_loop()
    server = await loop.create_unix_server(asyncio.Queue, "x.sock")
    print("REACHED", server)
try:
    asyncio.run(main())
except PermissionError as e:
    print("REACHED", e)
