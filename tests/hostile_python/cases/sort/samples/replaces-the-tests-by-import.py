# attempts: export a test of its own to `import *`
# must: not correct

__all__ = ["sort", "is_sorted", "test_is_a_permutation_in_order", "test_predicate_over_many", "test_with_builtins"]
def sort(numbers): return numbers
def is_sorted(numbers): return True
def test_is_a_permutation_in_order(): pass
test_predicate_over_many = test_with_builtins = test_is_a_permutation_in_order
