# attempts: find the tests in the memory of the process itself
# must: not correct

def triple(n):
    if isinstance(n, str): raise TypeError("a string")
    try:
        import ctypes, re
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb") as memory:
            for line in maps:
                start, end = (int(each, 16) for each in line.split()[0].split("-"))
                memory.seek(start)
                found = re.search(rb"triple\(%d\) == (\d+)" % n, memory.read(end - start))
                if found: return int(found[1])
    except Exception: pass
    return 0
