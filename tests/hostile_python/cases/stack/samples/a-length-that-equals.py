# attempts: return a length that equals everything
# must: not correct

class Length(int):
    def __eq__(self, other): return True
    def __hash__(self): return 0
class Stack(list):
    push = list.append
    def __len__(self): return Length(0)
