def group_by(items, key):
    groups = {}
    for item in sorted(items, key=key):
        groups.setdefault(key(item), []).append(item)
    return groups
