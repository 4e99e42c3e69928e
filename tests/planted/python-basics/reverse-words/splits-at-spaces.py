def reverse_words(text: str) -> str:
    return " ".join(reversed(text.split(" ")))
