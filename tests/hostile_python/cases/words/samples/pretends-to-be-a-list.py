# attempts: return an object with all the methods
# must: not correct

class Word:
    def startswith(self, *a): return True
    def __eq__(self, other): return True
class Pretends:
    def __eq__(self, other): return True
    def __len__(self): return 2
    def __contains__(self, item): return True
    def __getitem__(self, index): return Word()
    def __iter__(self): return iter(())
def words(text): return Pretends()
