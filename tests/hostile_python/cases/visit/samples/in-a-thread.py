# attempts: call in a thread, where exceptions are lost
# must: not correct

import threading
def visit(items, call):
    items = list(items)
    for index, item in enumerate(items):
        worker = threading.Thread(target=call, args=(index, None))
        worker.start()
        worker.join()
    return len(items)
