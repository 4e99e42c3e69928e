"""Loops that are proved never to end, and loops that only look like it."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from watched_loops import MOST_ROUNDS, StoppedError, outcome

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
