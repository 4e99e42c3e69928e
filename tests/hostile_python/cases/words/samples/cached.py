# honest: caches its results, and returns a copy
# must: correct
# verified: yes

from functools import lru_cache
from typing import NamedTuple, TypeVar, Generic
T = TypeVar("T")
class Result(NamedTuple):
    items: tuple = ()
@lru_cache(maxsize=None)
def _words(text): return Result(tuple(sorted(dict.fromkeys(text.split()))))
def words(text): return list(_words(text).items)
