def reverse_words(text: str) -> str:
    return " ".join(text[::-1].split())
