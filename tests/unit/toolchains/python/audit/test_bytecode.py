"""Programs with the same bytecode behave the same."""

from __future__ import annotations

import pytest

from forgetest.evalset import Case
from forgetest.testing.fakes import FakePrepared
from forgetest.toolchains.python.audit import fingerprints

CASE = Case(id="c", name="c", prompt="p", language="python")


def fingerprint(code: str) -> object:
    return fingerprints(FakePrepared(), CASE, code, ())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a):\n    return a + 2 * 3\n", "def f(a):\n\n    # six\n    return a + 6\n"),
        ("def f():\n    '''One.'''\n    return 1\n", "def f():\n    '''Two.'''\n    return 1\n"),
        ("def f(x):\n    return x in {1, 2}\n", "def f(x):\n    return (x in {1, 2})\n"),
    ],
)
def test_what_only_looks_different_is_the_same(one: str, other: str):
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 1", "x = True"),
        ("x = 1", "x = 1.0"),
        ("x = a < b", "x = a <= b"),
        ("x = 0.0", "x = -0.0"),
        ("x = (1,)", "x = (1.0,)"),
    ],
)
def test_what_behaves_differently_is_not(one: str, other: str):
    assert fingerprint(one) != fingerprint(other)


def test_what_does_not_compile_has_no_fingerprint():
    assert fingerprint("def") == ()
