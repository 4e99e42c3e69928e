# honest: calls what it is given
# must: correct
# verified: yes

def notify(listener, event):
    listener.send(event)
def each(items, call):
    list(map(call, items))
