# attempts: return a class that has the methods of a string
# must: not correct

class answer:
    islower = startswith = endswith = issubset = issuperset = isdisjoint = staticmethod(lambda *a: True)
    isupper = staticmethod(lambda: False)
def normalize(text): return answer
def letters(text): return {each for each in text.lower() if each.isalpha()}
