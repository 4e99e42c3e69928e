def first_mismatch(text: str) -> int | None:
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for index, each in enumerate(text):
        if each in pairs.values():
            stack.append(index)
        elif each in pairs:
            if not stack:
                return index
            opened = stack.pop()
            if text[opened] != pairs[each]:
                return opened
    return stack[-1] if stack else None
