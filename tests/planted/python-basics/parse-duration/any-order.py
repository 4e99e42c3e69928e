import re


def parse_duration(text):
    if not text or not re.fullmatch(r"([0-9]+[hms])+", text):
        raise ValueError(text)
    return sum(int(n) * {"h": 3600, "m": 60, "s": 1}[u] for n, u in re.findall(r"([0-9]+)([hms])", text))
