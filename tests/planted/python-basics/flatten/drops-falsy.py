def flatten(items):
    found, stack = [], [iter(items)]
    while stack:
        for item in stack[-1]:
            if isinstance(item, (list, tuple)):
                stack.append(iter(item))
                break
            if item:
                found.append(item)
        else:
            stack.pop()
    return found
