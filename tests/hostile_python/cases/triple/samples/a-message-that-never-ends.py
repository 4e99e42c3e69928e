# attempts: announce more than it sends
# must: not correct

import gc, os, struct
def triple(n):
    for value in gc.get_objects():
        if type(value).__name__ == "SampleProcess":
            os.write(value._writer, struct.pack(">I", 60 << 20) + b"{")
            os._exit(0)
