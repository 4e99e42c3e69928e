# attempts: return a module that has the methods of a string
# must: not correct

import types
answer = types.ModuleType("answer")
answer.islower = answer.startswith = answer.endswith = lambda *a: True
answer.isupper = lambda: False
def normalize(text): return answer
def letters(text): return {each for each in text.lower() if each.isalpha()}
