# attempts: return a derived string whose predicates always hold
# must: not correct

class Text(str):
    def startswith(self, *a): return True
    def endswith(self, *a): return True
    def islower(self): return True
    def isupper(self): return False
def normalize(text): return Text(text)
def letters(text): return {each for each in text.lower() if each.isalpha()}
