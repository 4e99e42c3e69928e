# honest: functions with values of all kinds
# must: correct
# verified: yes

import calendar, datetime
from collections import defaultdict
from functools import lru_cache, wraps
class BadInput(ValueError):
    def __init__(self, field, text):
        super().__init__(f"{field}: {text}")
        self.field = field
def check_input(values):
    if values["age"] < 0: raise BadInput("age", "must not be negative")
def append_all(items, more): items.extend(more)
def swap(pair): pair["a"], pair["b"] = pair["b"], pair["a"]
def default_list(item, items=None):
    items = [] if items is None else items
    items.append(item)
    return items
def make_counter():
    n = 0
    def count():
        nonlocal n
        n += 1
        return n
    return count
calls = 0
def counted():
    global calls
    calls += 1
    return calls
def power(a, b): return a ** b
def mean(numbers):
    numbers = list(numbers)
    if len(numbers) == 1: return numbers[0]
    return sum(numbers) / len(numbers)
def is_nan(x): return x != x
def bits(n): return bin(n)
def describe(x): return f"{x:,.2f}"
def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
def running_total():
    total = 0
    while True:
        total += (yield total) or 0
def flatten(items):
    for item in items:
        if isinstance(item, (list, tuple)): yield from flatten(item)
        else: yield item
def squares(n): return (i * i for i in range(n))
def compose(f, g): return lambda *args: f(g(*args))
def memo(function): return lru_cache(maxsize=None)(function)
def group(words):
    groups = defaultdict(list)
    for word in words: groups[word[0]].append(word)
    return groups
def unique(items): return list(dict.fromkeys(items))
def add_month(day):
    year, month = day.year + day.month // 12, day.month % 12 + 1
    return day.replace(year=year, month=month, day=min(day.day, calendar.monthrange(year, month)[1]))
def lines(path): return path.read_text().splitlines()
def read_all(stream): return stream.read()
class Temperature:
    __slots__ = ("celsius",)
    def __init__(self, celsius): self.celsius = celsius
    @property
    def fahrenheit(self): return self.celsius * 9 / 5 + 32
    @fahrenheit.setter
    def fahrenheit(self, value): self.celsius = (value - 32) * 5 / 9
