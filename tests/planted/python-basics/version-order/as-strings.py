import re


def sort_versions(versions):
    for v in versions:
        if not re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?", v):
            raise ValueError(v)
    return sorted(versions)
