"""Loops in which a number grows past what matters, and loops in which it only looks like it."""

from __future__ import annotations

import textwrap

import pytest

from watched_loops import outcome

ENDLESS = {
    "a bound beyond the end": """
        def f(nums):
            left = right = 0
            least = nums[0]
            while True:
                if sum(nums[left:right + 1]) >= least:
                    right += 1
                else:
                    left += 1
                tick()
                if left > right:
                    break
        f([1, 2, 3])
    """,
    "a number that is passed by": """
        def f(n):
            while n != 1:
                tick()
                n = n - 2
        f(2)
    """,
    "a bound before the beginning": """
        def f(text, n):
            end = 0
            while len(text[:end]) < n:
                tick()
                end -= 1
        f("abc", 3)
    """,
    "a length that is passed by": """
        def f(items):
            i = -1
            while i != len(items):
                tick()
                i += 2
        f([1, 2])
    """,
    "a remainder": """
        def f(low, high):
            n = high
            while True:
                tick()
                if n % 3 == 0:
                    if low <= n <= high:
                        return n
                    n += 2
                else:
                    n += 1
        f(16, 17)
    """,
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_a_loop_whose_growing_numbers_no_longer_matter_never_ends(source: str):
    assert outcome(textwrap.dedent(source)) == "endless"


MAY_END = {
    "a growing number that is set around the loop": """
        def f():
            count = 0
            while count < 300:
                i = 0
                while i < 3:
                    tick()
                    i += 1
                count += 1
        f()
    """,
    "a number that is still to be reached": """
        def f(n):
            i = 0
            while i != n:
                tick()
                i += 1
        f(900)
    """,
    "a bound that is still to be reached": """
        def f(items):
            end = 0
            while sum(items[:end]) < 1:
                tick()
                end += 1
        f([0] * 900 + [1])
    """,
    "a return that is taken back": """
        def f():
            i = 0
            while True:
                tick()
                i += 1
                try:
                    return 1 // (i // 900)
                except ZeroDivisionError:
                    continue
        f()
    """,
    "a remainder that is still to come": """
        def f():
            i = 0
            while i % 907 != 906:
                tick()
                i += 1
        f()
    """,
    "the remainder of a number that can grow no more": """
        def f():
            x, same, last = 2.0 ** 53 - 2000, 0, -1
            while same < 3:
                tick()
                x += 1
                same = same + 1 if last == x % 3 else 0
                last = x % 3
        f()
    """,
    "a growing number in a sum": """
        def f():
            i = 0
            while i + i < 1800:
                tick()
                i += 1
        f()
    """,
    "a growing number as an index": """
        def f(items):
            i = 0
            while items[i] < 1:
                tick()
                i += 1
        f([0] * 900 + [1])
    """,
    "two growing numbers": """
        def f():
            low, high = 0, 900
            while low < high:
                tick()
                low += 3
                high += 1
        f()
    """,
    "a number that is compared with a sum": """
        def f():
            low, high = 1000, 0
            while low > high - 900:
                tick()
                high += 2
                if low + 0 > 5:
                    low += 1
        f()
    """,
    "a sequence that grows in the line before it is cut": """
        def f(items):
            end = 0
            while items.append(0) or items[end:]:
                tick()
                end += 2
        f([0] * 900)
    """,
    "two statements in a line": """
        def f(n):
            i = 0
            while True:
                k = 900
                tick()
                k = 0; k = 900 - k
                if i > k: return
                i += 1
        f(900)
    """,
}


@pytest.mark.parametrize("source", MAY_END.values(), ids=MAY_END)
def test_a_number_that_may_still_matter_is_left_to_the_time_limit(source: str):
    assert outcome(textwrap.dedent(source)) != "endless"
