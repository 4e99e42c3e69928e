# attempts: make namespaces of its own to get capabilities
# must: not correct

import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
done = libc.unshare(0x10000000 | 0x00020000) == 0
if done:
    try:
        open("/proc/self/setgroups", "w").write("deny")
        open("/proc/self/uid_map", "w").write(f"0 {os.getuid()} 1")
    except OSError: pass
    libc.mount(b"none", b"/rt", b"tmpfs", 0, None)
    try:
        os.makedirs("/rt/judge")
        open("/rt/judge/launcher.py", "w").write("print('ready')\nprint('end')\n")
    except OSError: pass
for path in ("/rt/judge/wire.py", "/rt/judge/__pycache__/wire.cpython-311.pyc", "/py/lib/python3.11/json/decoder.py"):
    try: open(path, "w").write("")
    except OSError: pass
def triple(n): return 0
