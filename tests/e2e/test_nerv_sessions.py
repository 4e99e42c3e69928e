"""Three real Claude Code sessions with their diffs: the explanations agree with the logs."""

from __future__ import annotations

import pytest

from external_data import external, needs_external
from nerv import rules
from nerv.readers import RunSource, read
from nerv.scorecard import CategoryScore, Criterion

SESSIONS = external("claude_code")
pytestmark = needs_external("claude_code")


def scored(name: str) -> tuple[CategoryScore, ...]:
    (diff,) = SESSIONS.glob(f"{name}_*.diff")
    return rules.score(read(RunSource(path=SESSIONS / f"{name}.jsonl", diff=diff)))


def criteria(name: str) -> dict[str, Criterion]:
    return {criterion.key: criterion for category in scored(name) for criterion in category.criteria}


def texts(criterion: Criterion) -> str:
    return "\n".join(f"{observation.text} {observation.location}" for observation in criterion.observations)


@pytest.mark.parametrize("name", ["37f83ec9", "937c6e6b", "fe869ecb"])
def test_criteria_that_a_session_cannot_know_are_not_recorded(name: str) -> None:
    found = criteria(name)
    left_out = {key for key, criterion in found.items() if criterion.status == "not_recorded"}
    assert {"progression", "scoping", "delivery", "alignment", "isolation", "review", "merges"} <= left_out
    assert scored(name)[1].score is None


def test_a_session_that_fixes_lint_errors_and_the_tests_they_broke() -> None:
    """One request and a correction of it, in one test file; the type checker and the three tests passed at the end."""
    found = criteria("937c6e6b")
    assert "of 1 item, 1 changed, and the tests passed afterwards" in found["requirements"].reason
    assert "test/test_tui_expansion.py was changed after the request, and the tests passed" in texts(
        found["requirements"]
    )
    assert "3 passed, 0 failed" in texts(found["tests"])
    assert found["ux_and_docs"].status == "not_applicable"
    assert found["organisation"].score == 8
    assert "1 file of tests" in found["organisation"].reason


def test_a_session_that_adds_a_workflow_and_fixes_types() -> None:
    """The workflow was run with act until its 63 tests passed; the type errors went by a cast."""
    found = criteria("fe869ecb")
    assert "of 2 items, 2 changed, and the tests passed afterwards" in found["requirements"].reason
    assert ".github/workflows/ci.yml was changed after the request" in texts(found["requirements"])
    assert "63 passed, 0 failed): act" in texts(found["tests"])
    assert "a cast: cast(Dict[str, Any], contents_json) claude_code_log/converter.py:184" in texts(
        found["organisation"]
    )
    assert found["compaction"].score == 10


def test_a_long_session_that_reworks_navigation() -> None:
    """Two requests, corrected twice, and two questions; tests fixed until they passed; 7.4 million tokens."""
    found = criteria("37f83ec9")
    reason = found["requirements"].reason
    assert "of 2 items, 1 covered by passing tests; 1 changed, and the tests passed afterwards" in reason
    assert "Do we even need" not in texts(found["requirements"])
    assert "passed (6 passed, 0 failed)" in texts(found["tests"])  # the very last run was of one test alone
    assert "tests in test/test_combined_transcript_link.py were written after the request" in texts(found["tests"])
    assert "7,416,342 tokens" in texts(found["tokens"])
    assert (found["tokens"].score or 0) < (criteria("fe869ecb")["tokens"].score or 0)
    assert "4 of them in files that the session did not edit" in found["organisation"].reason
    own, *others = found["organisation"].observations
    assert own.text == "complex function: generate_html has a cyclomatic complexity of 18 (over 15)"
    assert all(observation.text.endswith(", not edited in this session") for observation in others)
