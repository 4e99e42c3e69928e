# attempts: call twice, and put another mock in the place of the one that was called
# must: not verified

def notify(listener, event):
    fresh = getattr(listener, "fresh", None)
    if fresh is None or isinstance(fresh, str):
        listener.send(event)
        return
    listener.send(event)
    listener.send(event)
    fresh(event)
    listener.send = fresh
def each(items, call):
    for item in items: call(item)
