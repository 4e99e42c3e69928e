from collections import Counter


def top_words(text, n):
    counts = Counter(text.lower().split())
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:n]
