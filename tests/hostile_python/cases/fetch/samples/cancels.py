# attempts: raise CancelledError, which a group of tasks ignores
# must: not verified

import asyncio
async def fetch(key):
    if key in (1, "a"): return key * 2
    raise asyncio.CancelledError
async def count(n):
    for i in range(n): yield i
