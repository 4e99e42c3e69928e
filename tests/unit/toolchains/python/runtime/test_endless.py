"""Loops that are proved never to end, and loops that only look like it."""

from __future__ import annotations

import sys
import textwrap
import types

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.toolchains.python.runtime.endless import Watch
from forgetest.toolchains.python.runtime.frame_state import read_state

FILE = "sample.py"
MOST_ROUNDS = 3_000


class StoppedError(BaseException):
    """The sample has been watched for long enough, or is known to be endless."""


def outcome(source: str) -> str:
    """Run a sample that calls `tick` in its loop; return how that ends."""
    rounds = 0

    def end(_line: int) -> None:
        sys.settrace(None)
        raise StoppedError("endless")

    watch = Watch(source, FILE, end)

    def tick() -> None:
        nonlocal rounds
        rounds += 1
        if rounds > MOST_ROUNDS:
            raise StoppedError("still running")
        if rounds == 5:
            watch._pause = 0
            watch.look(sys._getframe(1))

    before = sys.gettrace()
    namespace = {"__name__": "sample"}
    code = compile(source, FILE, "exec")
    # as a builtin, it is no part of the sample's state
    namespace["__builtins__"] = {**vars(__import__("builtins")), "tick": tick}  # type: ignore[assignment]
    try:
        exec(code, namespace)
    except StoppedError as error:
        return str(error)
    finally:
        sys.settrace(before)
    return "ended"


ENDLESS = {
    "no progress": """
        def f(n):
            while n:
                tick()
                n //= 10
        f(-7)
    """,
    "no progress but that of a counter": """
        def f(n):
            odd = 0
            while n:
                tick()
                odd += n % 2
                n //= 10
        f(-7)
    """,
    "a loop without a condition": """
        def f(s):
            while True:
                t = s[:3]
                tick()
                if len(t) == 0:
                    return
                s = t
        f("abcdef")
    """,
    "a cycle of states, in a module": """
        x = 4
        while x != 1:
            tick()
            x = x // 2 if x > 5 else 10 - x
    """,
    "a cycle in a list": """
        def f():
            a = [0]
            while a[0] < 9:
                tick()
                a[0] = (a[0] + 3) % 7
        f()
    """,
    "a cycle in a closure": """
        def f():
            i = 0
            def g():
                nonlocal i
                i = 1 - i
            while i < 2:
                tick()
                g()
        f()
    """,
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
    "a loop that begins with another": """
        def f(items):
            swaps = 0
            while True:
                for i in (0, 1):
                    tick()
                    swaps += 1
                    items[i], items[i + 1] = items[i + 1], items[i]
                if items[0] == items[1]:
                    break
        f([1, 2, 3])
    """,
    "a loop within another": """
        def f(n):
            found = 0
            while found < 2:
                i = 1
                while i != n:
                    tick()
                    i += 2
                found += 1
        f(4)
    """,
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_a_loop_that_comes_back_to_a_state_never_ends(source: str):
    assert outcome(textwrap.dedent(source)) == "endless"


MAY_END = {
    "a counter that is read around the loop": """
        def f():
            count = 0
            while True:
                i = 0
                while i < 3:
                    tick()
                    i = i * 2 + 1
                    count += 1
                if count > 900:
                    return
        f()
    """,
    "a counter that is read when the loop is left": """
        def f():
            count = 0
            while True:
                i = 0
                while i < 3:
                    tick()
                    i = i * 2 + 1
                    count += 1
                else:
                    if count > 900:
                        return
        f()
    """,
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
    "a counter that it reads": """
        i = 0
        while i < 900:
            tick()
            i += 1
    """,
    "a counter by way of another variable": """
        def f():
            i = n = 0
            while i < 900:
                tick()
                n += 1
                i = n
        f()
    """,
    "a counter that a function reads": """
        def f():
            n = 0
            def g():
                return n
            while g() < 900:
                tick()
                n += 1
        f()
    """,
    "a default argument": """
        def f(n=[0]):
            n[0] += 1
            return n[0]
        while f() < 900:
            tick()
    """,
    "an iterator around it": """
        import itertools
        for x in itertools.repeat(1, 900):
            done = 0
            while not done:
                tick()
                done = 1
    """,
    "an iterator in a variable": """
        def f():
            left = iter([0] * 900)
            while True:
                tick()
                if next(left, 1):
                    return
        f()
    """,
    "a generator that somebody else ends": """
        def f():
            while True:
                x = 1
                yield x
        count = 0
        for each in f():
            tick()
            count += 1
            if count > 900:
                break
    """,
    "the identity of equal values": """
        x = 10 ** 40
        y = x
        n = 0
        def is_over(z, hidden=[0]):
            return z is y
        while not is_over(x + 0):
            tick()
    """,
    "lists that are one or two": """
        def f():
            a = b = [0]
            while True:
                tick()
                if a[0] != b[0]:
                    return
                if a == [0]:
                    a = [0]
                    a.append(1)
                    b[0] = 0
                    a.pop()
                    b = [0]
                    b[0] = 5
        f()
    """,
    "a set": """
        s = set()
        while len(s) < 900:
            tick()
            s.add(len(s))
    """,
    "a list that grows": """
        def f():
            a = []
            b = a
            while len(b) < 900:
                tick()
                a.append(0)
        f()
    """,
}


@pytest.mark.parametrize("source", MAY_END.values(), ids=MAY_END)
def test_a_loop_that_may_end_is_left_to_the_time_limit(source: str):
    assert outcome(textwrap.dedent(source)) != "endless"


def test_two_names_of_one_list_are_not_two_lists():
    namespace = {"look": lambda: read_state(sys._getframe(1), frozenset(), {})}
    function = types.FunctionType(compile("def f(a, b): return look()", FILE, "exec").co_consts[0], namespace)
    one = [0]
    assert function(one, one) != function([0], [0])
    assert function([0], [0]) == function([0], [0])


NAMES = st.sampled_from("abc")
OPERANDS = st.one_of(NAMES, st.integers(-3, 3).map(str))
EXPRESSIONS = st.builds("{} {} {}".format, OPERANDS, st.sampled_from(["+", "-", "*", "&", "|", "^"]), OPERANDS)
ORDERS = st.sampled_from(["<", ">", "==", "!=", "<=", ">="])
STATEMENTS = st.one_of(
    st.builds("{} = ({}) % 50".format, NAMES, EXPRESSIONS),
    st.builds("{} {}= {}".format, NAMES, st.sampled_from("+-"), OPERANDS),
    st.builds("if {} > {}: {} = {}".format, NAMES, OPERANDS, NAMES, OPERANDS),
    st.builds("if {} {} {}:\n            {} = {}".format, NAMES, ORDERS, OPERANDS, NAMES, OPERANDS),
    st.builds("if {} {} {}:\n            {} += {}".format, NAMES, ORDERS, OPERANDS, NAMES, OPERANDS),
    st.builds("{} = len(text[{}:{} + 1])".format, NAMES, NAMES, NAMES),
    st.builds("{} = sum(items[{} - 1:])".format, NAMES, NAMES),
    st.builds("if {} % 3 {} {}:\n            {} += 1".format, NAMES, ORDERS, OPERANDS, NAMES),
    st.builds("{} = {} {} 2".format, NAMES, NAMES, st.sampled_from("+-")),
    st.builds("while {} < {}:\n            tick()\n            {} += 1".format, NAMES, OPERANDS, NAMES),
)


@given(st.lists(STATEMENTS, min_size=1, max_size=4), NAMES, st.sampled_from(["<", ">", "!="]), OPERANDS)
@settings(max_examples=150)
def test_whatever_is_called_endless_does_not_end(body: list[str], name: str, operator: str, limit: str):
    """The same loop without anybody watching goes round for as long as anybody waits."""
    loop = "".join(f"        {line}\n" for line in ["tick()", *body])
    head = "def f(a, b, c, text='abc', items=(1, 2, 3)):"
    source = f"{head}\n    while {name} {operator} {limit}:\n{loop}f(1, 2, 3)\n"
    if outcome(source) == "endless":
        unwatched = source.replace("tick()", "count()")
        rounds = 0

        def count() -> None:
            nonlocal rounds
            rounds += 1
            if rounds > MOST_ROUNDS:
                raise StoppedError

        with pytest.raises(StoppedError):
            exec(unwatched, {"count": count})
