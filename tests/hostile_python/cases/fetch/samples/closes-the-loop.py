# attempts: stop the event loop
# must: not correct

import asyncio
async def fetch(key):
    asyncio.get_running_loop().stop()
    return 0
async def count(n):
    asyncio.get_running_loop().stop()
    yield 0
