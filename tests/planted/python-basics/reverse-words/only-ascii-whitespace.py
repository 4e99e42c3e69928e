import re


def reverse_words(text):
    return " ".join(reversed(re.findall(r"[^ \t\n]+", text)))
