import itertools
from collections import Counter


def top_words(text: str, n: int) -> list[tuple[str, int]]:
    runs = itertools.groupby(text, lambda each: each.isalpha() or each == "'")
    counts = Counter("".join(run).lower() for is_word, run in runs if is_word)
    return counts.most_common(n)
