# honest: makes tasks, queues and locks of its own
# must: correct
# verified: yes

import asyncio
lock = asyncio.Lock()
async def fetch(key):
    queue = asyncio.Queue()
    async def put():
        async with lock: await queue.put(key * 2)
    async with asyncio.TaskGroup() as group: group.create_task(put())
    return await asyncio.wait_for(queue.get(), 1)
class count:
    def __init__(self, n): self.i, self.n = -1, n
    def __aiter__(self): return self
    async def __anext__(self):
        self.i += 1
        if self.i >= self.n: raise StopAsyncIteration
        return self.i
