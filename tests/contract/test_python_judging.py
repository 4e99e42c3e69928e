"""Python samples and their tests, each kind of test with code that passes and code that fails it."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from forgetest.verdict import Span
from grading import Graded, JudgeGrader, case_of

ADD = "def add(a, b):\n    return a + b\n"
SUBTRACT = "def add(a, b):\n    return a - b\n"


def judge(grade: JudgeGrader, code: str, tests: str, **further: Any) -> Graded:
    return grade(dedent(code), case_of(dedent(tests), language="python", **{"timeout_secs": 5.0, **further}))


def outcomes(graded: Graded) -> dict[str, str]:
    return {test.name: test.status for test in graded.verdict.tests}


KINDS = {
    "assertions": ("assert add(1, 2) == 3\nassert add(0, 5) == 5", ["assertions"]),
    "from solution": ("from solution import add\nassert add(1, 2) == 3", ["assertions"]),
    "import solution": ("import solution as s\nassert s.add(1, 2) == 3", ["assertions"]),
    "import star": ("from solution import *\nassert add(1, 2) == 3", ["assertions"]),
    "check": ("def check(candidate):\n    assert candidate(1, 2) == 3", ["check"]),
    "check that is called": ("def check(f):\n    assert f(1, 2) == 3\n\ncheck(add)", ["check"]),
    "function": ("def test_sum():\n    assert add(1, 2) == 3", ["test_sum"]),
    "coroutine": ("async def test_sum():\n    assert add(1, 2) == 3", ["test_sum"]),
    "parameters": (
        """
        import pytest
        @pytest.mark.parametrize("a, s", [(1, 3), (2, 4)])
        def test_sum(a, s):
            assert add(a, 2) == s
        """,
        ["test_sum[1-3]", "test_sum[2-4]"],
    ),
    "computed parameters": (
        """
        import pytest
        ROWS = [(1, 3), (2, 4)]
        @pytest.mark.parametrize("a, s", ROWS)
        def test_sum(a, s):
            assert add(a, 2) == s
        """,
        ["test_sum"],
    ),
    "class": ("class TestAdd:\n    def test_sum(self):\n        assert add(1, 2) == 3", ["TestAdd.test_sum"]),
    "unittest": (
        """
        import unittest
        class Adding(unittest.TestCase):
            def test_sum(self):
                self.assertEqual(add(1, 2), 3)
        """,
        ["Adding.test_sum"],
    ),
    "async unittest": (
        """
        import unittest
        class Adding(unittest.IsolatedAsyncioTestCase):
            async def test_sum(self):
                for n in (1, 2):
                    with self.subTest(n=n):
                        self.assertEqual(add(n, 2), n + 2)
        """,
        ["Adding.test_sum"],
    ),
    "docstring": ('def documented():\n    """\n    >>> add(1, 2)\n    3\n    """', ["doctest documented"]),
    "text": ("Adding numbers:\n\n    >>> add(1, 2)\n    3\n", ["doctest"]),
}


@pytest.mark.parametrize(("tests", "names"), KINDS.values(), ids=KINDS)
def test_every_kind_of_test_passes_for_right_and_fails_for_wrong_code(grade: JudgeGrader, tests: str, names: list[str]):
    further = {"functions": ["def add(a, b)"]}
    right = judge(grade, ADD, tests, **further)
    assert right.correct, right.messages
    assert right.verdict.verified
    assert outcomes(right) == dict.fromkeys(names, "passed")
    wrong = judge(grade, SUBTRACT, tests, **further)
    assert outcomes(wrong) == dict.fromkeys(names, "failed")
    assert not wrong.correct


def test_a_failure_shows_the_line_of_the_test_and_the_lines_of_the_sample(grade: JudgeGrader):
    tests = "def test_a():\n    assert f(1) == 2\n\ndef test_b():\n    g()\n"
    code = "def f(n):\n    print('computing')\n    return n\n\ndef g():\n    return [][0]\n"
    first, second = judge(grade, code, tests).verdict.tests
    assert first.message == "AssertionError\n  tests, line 2: assert f(1) == 2"
    assert first.stdout == "computing\n"
    assert second.message == "IndexError: list index out of range\n  sample, line 6 in g\n  tests, line 5: g()"


def test_a_sample_logs_what_its_tests_expect(grade: JudgeGrader):
    tests = """
        import logging
        import pytest
        import solution

        def test_warnings(caplog):
            solution.work(3)
            assert caplog.messages == ["3 left"]
            assert caplog.record_tuples == [("shop", logging.WARNING, "3 left")]
            assert caplog.text == "WARNING  shop:solution.py:6 3 left\\n"

        def test_levels(caplog):
            with caplog.at_level(logging.DEBUG, logger="shop"):
                logging.getLogger("tests").warning("before")
                solution.work(2)
                logging.getLogger("tests").warning("after")
            assert caplog.messages == ["before", "2 left", "working", "after"]
            caplog.clear()
            solution.work(1)
            assert [record.levelname for record in caplog.records] == ["WARNING"]
            caplog.set_level("ERROR")
            solution.work(1)
            assert len(caplog.records) == 1

        def test_errors(caplog):
            solution.fail()
            [record] = caplog.records
            assert "ZeroDivisionError" in record.exc_text and "ZeroDivisionError" in caplog.text

        def test_nothing_is_logged(caplog):
            assert caplog.records == []
    """
    code = """
        import logging
        log = logging.getLogger("shop")

        def work(left):
            log.warning("%s left", left)
            log.debug("working")

        def fail():
            try:
                1 / 0
            except ZeroDivisionError:
                log.exception("failed")
    """
    graded = judge(grade, code, tests)
    assert graded.correct, graded.messages
    assert graded.verdict.verified
    silent = judge(grade, code.replace("log.warning", "print"), tests)
    assert set(outcomes(silent).items()) >= {("test_warnings", "failed"), ("test_errors", "passed")}


def test_fixtures_raises_approx_capsys_and_environment(grade: JudgeGrader):
    tests = """
        import pytest
        import solution

        @pytest.fixture
        def account():
            made = solution.Account(10)
            yield made
            assert made.closed is False

        @pytest.fixture
        def rich(account):
            account.deposit(90)
            return account

        def test_fixture(rich):
            assert rich.balance == 100

        def test_raises(account):
            with pytest.raises(solution.Overdrawn, match="10 left") as info:
                account.withdraw(11)
            assert info.value.missing == 1
            with pytest.raises(ValueError):
                account.withdraw(-1)

        def test_approx():
            assert solution.third() == pytest.approx(0.3333, abs=1e-3)
            assert {"a": [solution.third()]} == {"a": pytest.approx([1 / 3])}

        def test_prints(capsys):
            solution.greet("you")
            assert capsys.readouterr().out == "hello you\\n"

        def test_environment(monkeypatch):
            monkeypatch.setenv("WHO", "me")
            assert solution.who() == "me"
            monkeypatch.delenv("WHO")
            assert solution.who() is None

        def test_files(tmp_path):
            solution.save(tmp_path / "note.txt")
            assert (tmp_path / "note.txt").read_text() == "noted"

        def test_skips():
            pytest.skip("later")
    """
    code = """
        import os

        class Overdrawn(ValueError):
            def __init__(self, left, missing):
                super().__init__(f"{left} left")
                self.missing = missing

        class Account:
            closed = False
            def __init__(self, balance):
                self.balance = balance
            def deposit(self, amount):
                self.balance += amount
            def withdraw(self, amount):
                if amount < 0:
                    raise ValueError("negative")
                if amount > self.balance:
                    raise Overdrawn(self.balance, amount - self.balance)

        def third():
            return 1 / 3

        def greet(name):
            print("hello", name)

        def who():
            return os.environ.get("WHO")

        def save(path):
            with open(path, "w") as file:
                file.write("noted")
    """
    graded = judge(grade, code, tests)
    assert outcomes(graded).pop("test_skips") == "ignored"
    assert graded.correct, graded.messages
    assert graded.verdict.verified
    broken = code.replace("1 / 3", "1 / 4").replace("hello", "hi").replace("noted", "x").replace('"WHO"', '"WHY"')
    broken = broken.replace("left, missing):", "left, missing, more=0):").replace("= missing", "= 7")
    wrong = judge(grade, broken.replace("+= amount", "= amount"), tests)
    assert [name for name, status in outcomes(wrong).items() if status == "passed"] == []


@pytest.mark.parametrize(
    ("tests", "reason"),
    [
        (
            "def test(monkeypatch):\n    monkeypatch.setattr('solution.helper', int)\n    assert not f()",
            "patch",
        ),
        ("import solution\nsolution.helper = lambda: 5\nassert f() == 5", "patch the sample's module"),
        (
            "from unittest import mock\nwith mock.patch('math.floor', return_value=5):\n    assert f() == 5",
            "patch a library",
        ),
        ("class Mine(Base):\n    pass\nassert Mine().five() == 5", "derive Mine"),
        ("assert f.__code__.co_argcount == 0", "__code__"),
        ("import threading\nassert g(threading.Lock()) == 'lock'", "cannot cross"),
        (
            (
                "import threading\nfound = []\nthread = threading.Thread(target=lambda: found.append(Base().five()))\n"
                "thread.start()\nthread.join()\nassert found == [5]"
            ),
            "threads",
        ),
    ],
)
def test_what_cannot_be_separated_runs_inside_and_is_not_verified(grade: JudgeGrader, tests: str, reason: str):
    code = """
        import math
        def helper():
            return math.floor(1.5)
        def f():
            return helper()
        def g(lock):
            return type(lock).__name__
        class Base:
            def five(self):
                return 5
    """
    graded = judge(grade, code, tests)
    assert graded.correct, graded.messages
    assert not graded.verdict.verified
    [finding] = graded.verdict.integrity
    assert (finding.kind, finding.forbids) == ("shared_interpreter", False)
    assert reason in finding.detail
    assert not judge(
        grade,
        code.replace("5", "6").replace("helper()", "7").replace("__name__", "__doc__").replace("def f()", "def f(x=1)"),
        tests,
    ).correct


def test_a_comparison_by_the_samples_own_class_is_believed_but_not_verified(grade: JudgeGrader):
    tests = "def test():\n    assert Money(5) + Money(6) == Money(11)\n    assert Money(3) == 3\n"
    code = """
        class Money:
            def __init__(self, amount):
                self.amount = amount
            def __add__(self, other):
                return Money(self.amount + other.amount)
            def __eq__(self, other):
                return self.amount == getattr(other, "amount", other)
    """
    graded = judge(grade, code, tests)
    assert graded.correct, graded.messages
    assert not graded.verdict.verified
    assert graded.findings == {"sample_comparison"}
    assert not judge(grade, code.replace(" + ", " - "), tests).correct


def test_an_error_at_import_has_its_place(grade: JudgeGrader):
    graded = judge(grade, "import math\nx = math.sqrt(-1)\n", "assert True")
    [error] = graded.verdict.errors
    assert (error.code, error.message) == ("ValueError", "math domain error")
    assert error.spans == (Span(line_start=2, line_end=2, column_start=1, column_end=18),)
    assert not graded.verdict.compiled


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "import os\ndef add(a, b):\n    os.kill(os.getpid(), 9)\n",
            "the process ended before the test returned: killed",
        ),
        ("def add(a, b):\n    return 'x' * (100 << 20)\n", "a result of 104857"),
        ("def add(a, b):\n    return bytearray(3 << 30)\n", "MemoryError"),
        pytest.param("import time\ndef add(a, b):\n    time.sleep(60)\n", "stopped: it waited", marks=pytest.mark.slow),
    ],
)
def test_limits_fail_a_test_with_their_own_message(grade: JudgeGrader, code: str, message: str):
    # a large result takes most of a second to write on a slow machine
    graded = judge(grade, code, "def test():\n    assert add(1, 2) == 3", timeout_secs=5.0)
    assert message in graded.verdict.tests[0].message


def test_an_endless_import_is_an_error_and_an_endless_function_is_not(grade: JudgeGrader):
    endless = "while True:\n    pass\n"
    tests = "def test():\n    assert f() == 1"
    at_import = judge(grade, endless, tests, timeout_secs=0.5).verdict
    assert (at_import.compiled, at_import.tests[0].timed_out) == (False, "cpu")
    in_call = judge(
        grade, f"def f():\n    {endless}".replace("    pass", "        pass"), tests, timeout_secs=0.5
    ).verdict
    assert (in_call.compiled, in_call.tests[0].timed_out) == (True, "cpu")


def test_no_test_sees_what_another_did(grade: JudgeGrader):
    tests = "def test_a():\n    assert once() == 1\n\ndef test_b():\n    assert once() == 1\n"
    code = """
        import os
        calls = []
        def once():
            calls.append(1)
            with open("/tmp/calls", "a") as file:
                file.write("x")
            return max(len(calls), os.path.getsize("/tmp/calls"))
    """
    assert judge(grade, code, tests).correct


def test_a_missing_expected_function_or_type_is_told(grade: JudgeGrader):
    graded = judge(
        grade, ADD, "assert add(1, 2) == 3", functions=["def add(a, b)", "sub"], expected_types=("class Sum",)
    )
    assert [condition.holds for condition in graded.verdict.conditions] == [True, False, False]
    assert not graded.correct
