import asyncio.subprocess
