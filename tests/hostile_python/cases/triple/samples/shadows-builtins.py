# honest: uses names of builtins for itself
# must: correct
# verified: yes

len = 3
sum = lambda items: items[0] + items[1] + items[2]
list = dict = type = None
def triple(n):
    if isinstance(n, str): raise TypeError("string")
    return sum((n, n, n))
