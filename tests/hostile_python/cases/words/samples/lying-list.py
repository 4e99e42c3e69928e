# attempts: return a list of a derived class that equals everything
# must: not correct

class Lie(list):
    def __eq__(self, other): return True
    def __len__(self): return 2
    def __contains__(self, item): return True
    def __getitem__(self, index): return Word()
class Word(str):
    def startswith(self, *a): return True
    def __eq__(self, other): return True
    __hash__ = str.__hash__
def words(text): return Lie()
