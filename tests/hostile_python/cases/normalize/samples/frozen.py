# honest: returns a frozen set
# must: correct
# verified: yes

import string
TABLE = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
def normalize(text): return text.strip().translate(TABLE)
def letters(text): return frozenset(normalize(text)) & frozenset(string.ascii_letters)
