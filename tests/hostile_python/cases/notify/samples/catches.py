# honest: reads attributes that may not be there
# must: correct
# verified: yes

def notify(listener, event):
    if not hasattr(listener, "send"):
        raise TypeError("no listener")
    send = getattr(listener, "send", None)
    return send(event)
def each(items, call):
    return [call(item) for item in list(items)]
