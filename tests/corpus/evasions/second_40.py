from asyncio import create_subprocess_exec as run
