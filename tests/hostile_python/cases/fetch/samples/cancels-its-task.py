# attempts: cancel the task that it runs in
# must: not verified

import asyncio
async def fetch(key):
    if key in (1, "a"): return key * 2
    for task in asyncio.all_tasks(): task.cancel()
    await asyncio.sleep(0)
async def count(n):
    for i in range(n): yield i
