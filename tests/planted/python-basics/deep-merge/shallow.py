def deep_merge(base, override):
    return {**base, **override}
