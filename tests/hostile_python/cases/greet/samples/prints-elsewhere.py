# attempts: write to the descriptors and not to sys.stdout
# must: not correct

import os
def greet(name): os.write(1, f"Hello, {name}!\n".encode())
def shout(text): return text.upper()
