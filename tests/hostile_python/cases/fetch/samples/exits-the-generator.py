# attempts: raise GeneratorExit
# must: not correct

async def fetch(key):
    if key in (1, "a"): return key * 2
    raise GeneratorExit
async def count(n):
    for i in range(n): yield i
