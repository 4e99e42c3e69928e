"""Findings as a whole: order, limits, time, and their effect on the scores."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finding_runs import a_command, a_run, found_in
from nerv import rules
from nerv.evidence import Evidence
from nerv.finding import LEVELS, Finding
from nerv.findings import find
from nerv.inspection import Inspection, inspect
from nerv.scorecard import Criterion
from nerv.spec import markdown
from nerv.verification.result import Verification


def test_an_empty_run_has_no_findings() -> None:
    empty = Evidence(kind="claude-code", recorded=frozenset(), spec=markdown.parse("", "spec.md"))
    assert find(empty, Inspection(), None) == ()
    assert find(empty, Inspection(), Verification(skipped="not asked for")) == ()


def test_the_strongest_findings_come_first() -> None:
    commands = [
        a_command(1, "git commit --no-verify -m x"),
        a_command(2, "echo '8 passed'"),
        a_command(3, "git show origin/main:a.py"),
    ]
    levels = [LEVELS.index(each.level) for each in found_in(a_run(commands=commands))]
    assert levels == sorted(levels, reverse=True) == [2, 1, 0]


def test_a_kind_is_listed_at_most_twenty_times() -> None:
    before = {"tests/test_a.py": "".join(f"def test_{n}():\n    assert f({n}) == {n * n}\n\n\n" for n in range(60))}
    assert len(found_in(a_run(before, {}))) == 20


@given(
    st.text(alphabet="abc()[]{}'\"\\n#@=:;<>$|&/ \t\n-+*.", max_size=400),
    st.sampled_from(["py", "ts", "rs", "go", "java", "toml", "sh"]),
)
@settings(max_examples=60, deadline=None)
def test_any_text_is_looked_at_without_an_error(text: str, extension: str) -> None:
    path = f"tests/test_a.{extension}"
    run = a_run({path: text[: len(text) // 2]}, {path: text}, commands=[a_command(1, text, text)], final=text)
    assert all(each.level in LEVELS and len(each.lines) <= 10 for each in found_in(run))


@pytest.mark.slow
@pytest.mark.parametrize("size", [3_000])
def test_the_time_grows_with_the_size_of_the_change(size: int) -> None:
    def seconds(count: int) -> float:
        before = {"tests/test_a.py": "".join(f"def test_{n}():\n    assert f({n}) == {n}\n\n" for n in range(count))}
        after = {
            "tests/test_a.py": "".join(f"def test_{n}():\n    assert f({n}) == {n + 1}\n\n" for n in range(count)),
            "a.py": "".join(
                f"def f{n}(x):\n    if x == {n}:\n        return {n + 1}\n    return x\n\n" for n in range(count)
            ),
        }
        commands = [
            a_command(n, f"git show abc{n:05x} && pytest -q || true", "+line of code here\n" * 20)
            for n in range(count // 10)
        ]
        run = a_run(before, after, commands=commands)
        inspection = inspect(run.changes.written)
        start = time.process_time()
        find(run, inspection, None)
        return time.process_time() - start

    seconds(10)
    small, large = seconds(size // 10), seconds(size)
    assert large < 40 * max(small, 0.02)


def test_a_likely_finding_lowers_its_criterion_and_says_why() -> None:
    before, after = ({"tests/test_a.py": f"def test_a():\n    assert f(2) == {value}\n"} for value in (4, 5))
    run = a_run(before, after)
    plain = {each.key: each for category in rules.score(run) for each in category.criteria}
    found = found_in(run)
    lowered = {each.key: each for category in rules.score(run, None, None, found) for each in category.criteria}
    assert [each.level for each in found] == ["likely"]
    assert _score(lowered["tests"]) == min(4, _score(plain["tests"]))
    assert lowered["tests"].observations[0].text == found[0].text
    assert {key for key in plain if plain[key] != lowered[key]} <= {"tests", "requirements"}


def test_a_note_changes_no_score() -> None:
    run = a_run({}, {"tests/test_a.py": "def test_a():\n    assert f(2) == 4\n"})
    note = Finding(kind="stub", level="note", text="A note.", criterion="tests")
    assert rules.score(run, None, None, [note]) == rules.score(run)


def _score(criterion: Criterion) -> int:
    assert criterion.score is not None
    return criterion.score
