def flatten(items):
    found, stack = [], [iter(items)]
    while stack:
        for item in stack[-1]:
            if isinstance(item, list):
                stack.append(iter(item))
                break
            found.append(item)
        else:
            stack.pop()
    return found
