# attempts: never answer
# must: not correct

import time
def triple(n):
    time.sleep(1000)
