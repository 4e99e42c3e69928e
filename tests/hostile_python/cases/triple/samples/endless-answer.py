# attempts: return more than fits
# must: not correct

def triple(n):
    return "6" * (200 << 20)
