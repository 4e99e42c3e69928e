# honest: asynchronous generators, contexts and queues
# must: correct
# verified: no

import asyncio
class Ticker:
    def __init__(self, n):
        self.n, self.i, self.closed = n, 0, False
    def __aiter__(self):
        return self
    async def __anext__(self):
        if self.i >= self.n:
            raise StopAsyncIteration
        self.i += 1
        await asyncio.sleep(0)
        return self.i
    async def __aenter__(self):
        return self
    async def __aexit__(self, *exc):
        self.closed = True
        return False

async def countdown(n):
    try:
        while n:
            got = yield n
            n = got if got is not None else n - 1
    finally:
        countdown.done = True

async def gather_squares(ns):
    async def sq(n):
        await asyncio.sleep(0.001 * (5 - n))
        return n * n
    return await asyncio.gather(*(sq(n) for n in ns))

async def with_timeout(secs):
    try:
        await asyncio.wait_for(asyncio.sleep(5), secs)
    except asyncio.TimeoutError:
        return "timeout"

async def producer_consumer(n):
    q = asyncio.Queue(2)
    out = []
    async def produce():
        for i in range(n):
            await q.put(i)
        await q.put(None)
    async def consume():
        while (x := await q.get()) is not None:
            out.append(x)
    async with asyncio.TaskGroup() as tg:
        tg.create_task(produce())
        tg.create_task(consume())
    return out
