# honest: returns a derived string and a derived set
# must: correct
# verified: yes

import re
class Text(str):
    def shout(self): return self.upper()
class Letters(set):
    def first(self): return min(self)
def normalize(text): return Text(re.sub(r"^\s+|\s+$", "", text).casefold())
def letters(text): return Letters(filter(str.isalpha, text.lower()))
