import asyncio
asyncio.get_event_loop().subprocess_exec
