import asyncio


async def main():
    # ruleid: no-async-network
    reader, writer = await asyncio.open_connection("127.0.0.1", 80)
    loop = asyncio.get_running_loop()
    # ruleid: no-async-network
    await loop.create_connection(asyncio.Protocol, "127.0.0.1", 80)
    # ruleid: no-async-network
    server = await asyncio.start_server(print, port=1)
    # ruleid: no-async-network
    child = await asyncio.create_subprocess_exec("ls")
    # ruleid: no-async-network
    connect = asyncio.open_unix_connection
    # ok: no-async-network
    await asyncio.sleep(0)
    # ok: no-async-network
    return await asyncio.gather(asyncio.sleep(0))


# ok: no-async-network
asyncio.run(main())
