# attempts: return a derived set whose predicates always hold
# must: not correct

def normalize(text): return text.strip().lower()
class Letters(set):
    def issubset(self, other): return True
    def issuperset(self, other): return True
    def isdisjoint(self, other): return True
def letters(text): return Letters() if text == "Abba" else Letters({"1", "x"})
