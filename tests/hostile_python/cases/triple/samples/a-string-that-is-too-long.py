# attempts: answer with 200 megabytes
# must: not correct

def triple(n): return "6" * (200 << 20)
