# honest: writes to sys.stdout, in parts
# must: correct
# verified: yes

import sys
def greet(name):
    write = sys.stdout.write
    for part in ("Hello", ", ", name, "!"): write(part)
    print(flush=True)
def shout(text):
    return text.upper()
