"""Material for a judge, cut by importance."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finding_runs import a_run, moment
from nerv.evidence import Changes
from nerv.evidence import TestSuiteRun as SuiteRun
from nerv.judge.material import JudgedRun, MaterialPart, diff_part, material
from nerv.readers.git import patch
from nerv.spec import markdown
from nerv.verification.result import SuiteResult, Verification
from nerv_runs import Run, evidence


def diff_of(*files):
    lines = []
    for path, count in files:
        lines += [f"diff --git a/{path} b/{path}", "--- /dev/null", f"+++ b/{path}", f"@@ -0,0 +1,{count} @@"]
        lines += [f"+line {number} of {path}" for number in range(count)]
    return patch.parse(enumerate((line.encode() for line in lines), 1), "p")


def test_a_small_diff_is_whole():
    part = diff_part(diff_of(("a.py", 3), ("b.md", 2)), 10_000)
    assert part.left_out == ""
    assert "+line 2 of a.py" in part.text
    assert "added b.md +2 -0" in part.text


def test_source_comes_before_tests_and_documents():
    part = diff_part(diff_of(("src/a.py", 200), ("tests/test_a.py", 200), ("notes.md", 200)), 6_000)
    assert part.text.count("of src/a.py") > 2 * part.text.count("of notes.md")
    assert "of 3 changed files" in part.left_out


def test_every_file_is_named_even_if_none_fits():
    part = diff_part(diff_of(*((f"src/f{number}.py", 400) for number in range(30))), 20_000)
    assert all(f"added src/f{number}.py +400 -0" in part.text for number in range(30))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a.py", "tests/t.py", "x.md", "deep/er/file.ts", "b.rs", "c.lock"]), st.integers(1, 300)
        ),
        unique_by=lambda pair: pair[0],
    ),
    st.integers(4_000, 40_000),
)
def test_no_diff_is_larger_than_its_budget(files, budget):
    assert len(diff_part(diff_of(*files), budget).text) <= budget


def verification(**facts):
    outcomes = {"test_old": "failed", "test_new": "passed"}
    suite = SuiteResult(tree="result", source="base", command="pytest", outcomes=outcomes, runner="pytest")
    return Verification(suites=(suite,), broken=("test_old",), **facts)


def implementation(budget, verified, spec="# Notes\n- [ ] List all notes\n", lines=500):
    found = evidence(Run(tasks=()))
    found = replace(found, spec=markdown.parse(spec, "spec.md"), changes=Changes(diff=diff_of(("a.py", lines))))
    run = JudgedRun(found, verified, lambda _: pytest.fail("no log"), "")
    return material("implementation_quality", run, budget)


def test_the_implementation_is_judged_with_the_spec_and_our_test_results():
    spec, tests, diff = implementation(120_000, verification(shown=("test_new",)))
    assert "List all notes" in spec.text
    assert "the base's own tests on the result: 1 passed, 1 failed, 0 skipped" in tests.text
    assert "tests of the base that the result breaks: 1\n  test_old" in tests.text
    assert "cannot pass: The result breaks 1 test of the base" in tests.text
    assert "tests of the run that fail on the base and pass on the result: 1\n  test_new" in tests.text
    assert "+line 0 of a.py" in diff.text


def test_tests_that_were_not_run_are_told_with_the_reason():
    assert (
        "(the tests were not run: no sandbox here)"
        in implementation(9_000, Verification(skipped="no sandbox here"))[1].text
    )
    assert "(the tests were not run: not asked for)" in implementation(9_000, None)[1].text


def test_where_no_tests_were_run_the_log_says_what_it_has_of_them():
    command = "pytest -q"
    runs = (
        SuiteRun(moment=moment(4), command=command, passed=None, failed=None, succeeded=False, ran=False),
        SuiteRun(moment=moment(9), command=command, passed=8, failed=0, succeeded=True),
        SuiteRun(moment=moment(11), command=command, passed=9, failed=None, succeeded=True, strength="claimed"),
    )
    run = replace(a_run(runs=runs), kind="codex")
    _, tests, _ = material("implementation_quality", JudgedRun(run, None, log, ""), 20_000)
    file = moment(1).location.file
    assert tests.text.splitlines()[1:] == [
        f"the log records ({file}:4): `pytest -q`: could not be started",
        f"the log records ({file}:9): `pytest -q`: 8 passed, 0 failed",
        f"the run says ({file}:11): `pytest -q`: 9 passed, ? failed",
    ]


@pytest.mark.parametrize("budget", [4_000, 20_000])
def test_spec_tests_and_diff_together_keep_the_budget(budget):
    many = tuple(f"test_{number}" for number in range(3_000))
    parts = implementation(budget, verification(idle=many), spec="- [ ] do this\n" * 3_000, lines=3_000)
    assert sum(len(part.text) for part in parts) <= budget
    assert len(parts[2].text) >= budget // 2


def log(budget):
    return MaterialPart(title="the log", text="x" * min(budget, 500))


def test_figures_have_only_what_the_source_records():
    found = evidence(Run(tasks=()))
    (known,) = material("efficiency", JudgedRun(found, None, log, "", 3.45), 9_000)
    assert '"spec_items_completed_by_our_count": 3.5' in known.text
    assert '"tasks_completed": 0' in known.text
    session = replace(found, recorded=found.recorded - {"tasks", "spec_completion"})
    (figures,) = material("efficiency", JudgedRun(session, None, log, "", 3.45), 9_000)
    assert "tasks" not in figures.text
    assert "ticked" not in figures.text


def test_what_people_get_is_judged_with_the_diff_unless_the_log_is_nervs_own():
    found = replace(evidence(Run(tasks=())), changes=Changes(diff=diff_of(("README.md", 3))))
    for kind, titles in (("nerv", ["the log"]), ("codex", ["the git diff of all changes", "the log"])):
        parts = material("user_experience", JudgedRun(replace(found, kind=kind), None, log, "Rules"), 2_000)
        assert [part.title for part in parts[1:]] == titles
        assert sum(len(part.text) for part in parts) <= 2_000
