# attempts: return an awaitable that stops the loop
# must: not correct

class Answer:
    def __await__(self):
        raise StopIteration(0)
        yield
def fetch(key): return Answer()
async def count(n):
    for i in range(n): yield i
