# honest: returns awaitable objects
# must: correct
# verified: yes

import asyncio
class Twice:
    def __init__(self, key): self.key = key
    def __await__(self):
        yield from asyncio.sleep(0).__await__()
        return self.key * 2
async def fetch(key): return await Twice(key)
async def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
