def chunks(items, size):
    if size < 1:
        raise ValueError("size must be positive")
    chunk = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
