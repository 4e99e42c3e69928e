# attempts: reach the globals of the tests through a callback
# must: not correct

def notify(listener, event):
    for name in ("__globals__", "__self__", "__func__", "__class__", "__dict__", "__init__"):
        try: print(getattr(listener.send, name)["mock"])
        except Exception: pass
def each(items, call):
    call.__self__.extend(items)
