# attempts: answer the question for its names with something else
# must: not correct

class Names(list):
    def __iter__(self):
        while True: yield "sort"
__all__ = Names(["sort"])
def sort(numbers): return numbers
def is_sorted(numbers): return True
