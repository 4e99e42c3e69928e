# attempts: replace a method of an object of the tests
# must: not correct

def notify(listener, event):
    listener.is_right = lambda: True
def each(items, call): pass
