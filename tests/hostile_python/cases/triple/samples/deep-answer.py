# attempts: return something that is nested too deeply to be read
# must: not correct

def triple(n):
    deep = []
    for _ in range(100000): deep = [deep]
    return deep
