# attempts: change its answer while the tests look at it
# must: not correct

import threading, time
def words(text):
    found = ["?"]
    def change():
        while True:
            found[:] = sorted(set(text.split()))[:1]
    threading.Thread(target=change, daemon=True).start()
    return found
