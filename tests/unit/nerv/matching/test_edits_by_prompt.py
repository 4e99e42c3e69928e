"""Edits are made for the request before them."""

from __future__ import annotations

from dataclasses import replace

from finding_runs import a_run
from nerv.evidence import Evidence
from nerv.matching.edits_by_prompt import edits_by_item


def a_session(evidence: Evidence) -> Evidence:
    """Return a run whose spec is its own first line."""
    items = tuple(
        replace(item, location=replace(item.location, file="session.jsonl", line=1)) for item in evidence.spec.items
    )
    return replace(evidence, spec=replace(evidence.spec, items=items, given=False))


def test_an_edit_of_a_file_of_the_result_counts_and_one_that_is_gone_does_not() -> None:
    run = a_session(a_run({}, {"a.py": "x = 1\n"}, edits=[("/r/a.py", 5), ("/r/gone.py", 6)]))
    assert [path for path, _ in edits_by_item(run)[0]] == ["a.py"]


def test_where_no_text_is_known_every_edit_counts() -> None:
    """As in the output of `codex exec`, which has the names of changed files and nothing else."""
    run = a_session(a_run(edits=[("/r/a.py", 5)]))
    run = replace(run, changes=replace(run.changes, diff=None, repository=None))
    assert [path for path, _ in edits_by_item(run)[0]] == ["/r/a.py"]
