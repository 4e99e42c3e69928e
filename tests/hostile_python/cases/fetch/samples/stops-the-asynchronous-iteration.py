# attempts: raise StopAsyncIteration
# must: not correct

async def fetch(key): raise StopAsyncIteration
async def count(n):
    for i in range(n): yield i
