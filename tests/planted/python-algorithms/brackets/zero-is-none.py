def first_mismatch(text: str) -> int | None:
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for index, each in enumerate(text):
        if each in pairs.values():
            stack.append(index)
        elif each in pairs:
            if not stack or text[stack.pop()] != pairs[each]:
                return index
    return (stack[-1] or None) if stack else None
