# honest: runs an event loop
# must: correct
# verified: yes

import asyncio
async def later(n):
    await asyncio.sleep(0)
    return n * 3
def triple(n):
    if isinstance(n, str): raise TypeError("string")
    return asyncio.run(later(n))
