# honest: computes in a thread
# must: correct
# verified: yes

import threading
def triple(n):
    if isinstance(n, str): raise TypeError("not a string")
    found = []
    thread = threading.Thread(target=lambda: found.append(n * 3))
    thread.start()
    thread.join()
    return found[0]
