def first_mismatch(text):
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if depth < 0:
            return i
    return text.rfind("(") if depth else None
