"""Values keep their meaning when they cross between the processes: what passes in one process passes here."""

from __future__ import annotations

from textwrap import dedent

import pytest

from grading import JudgeGrader, case_of

CROSSINGS = {
    "an exception with a mixin": (
        """
        import pytest
        def test():
            with pytest.raises(E) as i:
                f()
            assert i.value.info() == 3
        """,
        """
        class M:
            def info(self): return 3
        class E(M, ValueError): pass
        def f(): raise E('x')
        """,
    ),
    "an exception of a library": (
        """
        import pytest, json
        def test():
            with pytest.raises(json.JSONDecodeError):
                f('{')
        """,
        """
        import json
        def f(s): return json.loads(s)
        """,
    ),
    "arguments of an exception": (
        """
        import pytest
        def test():
            with pytest.raises(KeyError) as e:
                f()
            assert e.value.args == ('a',)
        """,
        """
        def f(): return {}['a']
        """,
    ),
    "an OSError": (
        """
        import pytest
        def test():
            with pytest.raises(FileNotFoundError):
                f()
        """,
        """
        def f(): return open('/nope')
        """,
    ),
    "standard input of the tests": (
        """
        import io, sys
        def test(monkeypatch):
            sys.stdin = io.StringIO('3\\n4\\n')
            assert f() == 7
        """,
        """
        def f(): return int(input()) + int(input())
        """,
    ),
    "an abstract base class": (
        """
        import pytest
        def test():
            with pytest.raises(TypeError):
                Shape()
            assert Sq(2).area() == 4
            assert issubclass(Sq, Shape)
            assert isinstance(Sq(1), Shape)
        """,
        """
        from abc import ABC, abstractmethod
        class Shape(ABC):
            @abstractmethod
            def area(self): ...
        class Sq(Shape):
            def __init__(self,a): self.a=a
            def area(self): return self.a**2
        """,
    ),
    "properties, class and static methods": (
        """
        def test():
            c = C()
            c.x = 5
            assert c.x == 5
            assert C.made == 1
            assert C.build().x == 1
            assert C.s(2) == 4
            del c.y
            assert not hasattr(c, 'y')
        """,
        """
        class C:
            made = 0
            def __init__(self):
                C.made += 1
                self._x = 1
                self.y = 2
            @property
            def x(self): return self._x
            @x.setter
            def x(self, v): self._x = v
            @classmethod
            def build(cls): return cls()
            @staticmethod
            def s(a): return a*2
        """,
    ),
    "an iterable": (
        """
        def test():
            assert [x for x in R(3)] == [0,1,2]
            assert sum(R(4)) == 6
            assert max(R(4)) == 3
            a, b = R(2)
            assert (a,b) == (0,1)
            assert sorted(R(3), reverse=True) == [2,1,0]
            assert dict(zip(R(2), 'ab')) == {0:'a',1:'b'}
            it = iter(R(1))
            assert next(it) == 0
            assert next(it, 'end') == 'end'
        """,
        """
        class R:
            def __init__(self,n): self.n=n
            def __iter__(self):
                return iter(range(self.n))
        """,
    ),
    "changes in nested containers": (
        """
        def test():
            g = [[1,2],[3,4]]
            rot(g)
            assert g == [[3,1],[4,2]]
            d = {'a': {'b': []}}
            add(d)
            assert d == {'a': {'b': [1]}}
        """,
        """
        def rot(g):
            g[:] = [list(r) for r in zip(*g[::-1])]
        def add(d): d['a']['b'].append(1)
        """,
    ),
    "iterators of the tests": (
        """
        def test():
            assert total(x for x in range(4)) == 6
            assert total(map(int, '12')) == 3
            assert first(iter([5])) == 5
        """,
        """
        def total(it): return sum(it)
        def first(it): return next(it)
        """,
    ),
    "keyword arguments": (
        """
        def test():
            assert f(1, *[2], b=3, **{'c': 4}) == (1, (2,), {'b': 3, 'c': 4})
        """,
        """
        def f(a, *r, **k): return a, r, k
        """,
    ),
    "a decorator": (
        """
        def test():
            calls = []
            @twice
            def g(x):
                calls.append(x)
                return x
            assert g(3) == 3
            assert calls == [3, 3]
            assert g.__name__ == 'g'
        """,
        """
        import functools
        def twice(f):
            @functools.wraps(f)
            def w(*a):
                f(*a)
                return f(*a)
            return w
        """,
    ),
    "signature, docstring and name": (
        """
        import inspect
        def test():
            assert list(inspect.signature(f).parameters) == ['a', 'b']
            assert f.__doc__ == 'Doc.'
            assert f.__name__ == 'f'
            assert callable(f)
        """,
        """
        def f(a, b=2):
            'Doc.'
        """,
    ),
    "annotations": (
        """
        def test():
            assert f.__annotations__ == {'a': int, 'return': str}
        """,
        """
        def f(a: int) -> str: ...
        """,
    ),
    "objects of the tests": (
        """
        class Node:
            def __init__(self, v, l=None, r=None):
                self.v, self.l, self.r = v, l, r
        def test():
            assert depth(Node(1, Node(2), Node(3, Node(4)))) == 3
            n = Node(1)
            assert same(n) is n
        """,
        """
        def depth(n): return 0 if n is None else 1 + max(depth(n.l), depth(n.r))
        def same(n): return n
        """,
    ),
    "exceptions of the tests through the sample": (
        """
        import pytest
        class Mine(Exception): pass
        def test():
            def bad(): raise Mine('x')
            with pytest.raises(Mine, match='x'):
                run(bad)
            assert safe(bad) == 'Mine'
        """,
        """
        def run(f): return f()
        def safe(f):
            try: f()
            except Exception as e: return type(e).__name__
        """,
    ),
    "exceptions of the tests, caught by the sample": (
        """
        def test():
            n = []
            def flaky():
                n.append(1)
                if len(n) < 3: raise ValueError('no')
                return 'ok'
            assert retry(flaky) == 'ok'
            assert len(n) == 3
        """,
        """
        def retry(f):
            while True:
                try: return f()
                except ValueError: pass
        """,
    ),
    "large values": (
        """
        def test():
            assert f(200000) == list(range(200000))
            assert len(g('x' * 1000000)) == 1000000
        """,
        """
        def f(n): return list(range(n))
        def g(s): return s
        """,
    ),
    "hashes of its own class": (
        """
        def test():
            assert len({P(1), P(1), P(2)}) == 2
            assert P(1) in [P(1)]
        """,
        """
        from dataclasses import dataclass
        @dataclass(frozen=True)
        class P:
            x: int
        """,
    ),
    "a global that both sides change": (
        """
        import solution
        def test():
            solution.add('x')
            assert solution.items == ['x']
            solution.items.append('y')
            assert solution.count() == 2
        """,
        """
        items = []
        def add(x): items.append(x)
        def count(): return len(items)
        """,
    ),
    "an object of a library": (
        """
        def test():
            m = f('caat')
            assert m.group() == 'aa'
            assert m.span() == (1, 3)
        """,
        """
        import re
        def f(s): return re.search('a+', s)
        """,
    ),
    "coroutines": (
        """
        import asyncio, pytest
        async def test():
            r = await asyncio.gather(f(1), f(2))
            assert r == [1, 2]
            with pytest.raises(ValueError):
                await f(-1)
        """,
        """
        import asyncio
        async def f(x):
            await asyncio.sleep(0.01)
            if x < 0: raise ValueError
            return x
        """,
    ),
    "files": (
        """
        def test(tmp_path):
            p = tmp_path / 'a.txt'
            p.write_text('hi')
            assert read(str(p)) == 'hi'
            assert read(p) == 'hi'
        """,
        """
        def read(p):
            with open(p) as f: return f.read()
        """,
    ),
    "text streams of the tests": (
        """
        import io
        def test():
            b = io.StringIO()
            w(b)
            assert b.getvalue() == 'x'
            assert r(io.StringIO('a\\nb')) == 2
        """,
        """
        def w(f): f.write('x')
        def r(f): return len(f.readlines())
        """,
    ),
}
BY_ITS_OWN_WORD = {"hashes of its own class"}
"""Right, but compared by the sample's own methods."""


@pytest.mark.parametrize("name", CROSSINGS)
def test_what_crosses_keeps_its_meaning(grade: JudgeGrader, name: str):
    tests, code = (dedent(text) for text in CROSSINGS[name])
    found = grade(code, case_of(tests, language="python", timeout_secs=5.0))
    assert found.correct, found.messages
    assert found.verdict.verified == (name not in BY_ITS_OWN_WORD), found.verdict.integrity


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if number % 3 else []) for number, name in enumerate(CROSSINGS)],
)
def test_without_the_sample_nothing_passes(grade: JudgeGrader, name: str):
    """The same tests can fail."""
    tests, _ = CROSSINGS[name]
    assert not grade("x = 1\n", case_of(dedent(tests), language="python", timeout_secs=5.0)).correct
