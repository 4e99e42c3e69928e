"""The terminal's form of an audit: a line per case, the findings, and a grade for each set."""

from __future__ import annotations

from collections.abc import Iterator

from forgetest.auditing.results import Audit, CaseAudit, SetAudit
from forgetest.renderers.model_table import counted

_MOST_FINDINGS = 5
"""Findings of a case that are shown; the files have all of them."""
_HEADINGS = ("Case", "Killed", "Survived", "Equivalent", "Rate", "Lazy", "Forged", "Lines", "Branches", "Reference")


def summary(audit: Audit) -> str:
    """Return the text."""
    return "\n".join(line for eval_set in audit.eval_sets for line in _set_lines(eval_set))


def _set_lines(eval_set: SetAudit) -> Iterator[str]:
    yield f"{eval_set.id}: {eval_set.name}"
    rows = [_HEADINGS, *(_row(case) for case in eval_set.cases)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    for row in rows:
        cells = [
            text.ljust(width) if not i else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  " + "  ".join(cells).rstrip()
    yield ""
    for case in eval_set.cases:
        yield from _finding_lines(case)
    yield _grade_line(eval_set)
    yield ""


def _row(case: CaseAudit) -> tuple[str, ...]:
    total = case.count("killed") + case.count("survived")
    if not case.mutants:
        figures: tuple[str, ...] = ("n/a",) * 6
    else:
        believed = {
            kind: sum(each.status == "believed" for each in case.impostors if each.impostor.kind == kind)
            for kind in ("lazy", "forgery")
        }
        asked = {
            kind: sum(each.status in ("believed", "rejected") for each in case.impostors if each.impostor.kind == kind)
            for kind in ("lazy", "forgery")
        }
        same = case.count("equivalent") + case.count("accepted")
        figures = (
            f"{case.count('killed')}/{total}",
            str(case.count("survived")),
            str(same),
            rate_text(case.kill_rate),
            f"{believed['lazy']}/{asked['lazy']}",
            f"{believed['forgery']}/{asked['forgery']}",
        )
    reached = case.coverage
    lines = "n/a" if reached is None else f"{reached.lines_reached}/{reached.lines}"
    branches = "n/a" if reached is None else f"{reached.branches_reached}/{reached.branches}"
    return (case.id, *figures, lines, branches, _reference_text(case))


def _reference_text(case: CaseAudit) -> str:
    reference = case.reference
    if reference is None:
        return "none"
    if not reference.judged:
        return "not judged"
    if reference.disagreeing:
        return f"flaky ({reference.disagreeing}/{reference.judged})"
    return "ok" if reference.correct else "WRONG"


def _finding_lines(case: CaseAudit) -> Iterator[str]:
    shown = [finding for finding in case.findings if finding.level != "note"]
    for finding in shown[:_MOST_FINDINGS]:
        yield f"  {finding.level}: {case.file}:{finding.line}: {case.id}: {finding.message}"
    if len(shown) > _MOST_FINDINGS:
        yield f"  … {len(shown) - _MOST_FINDINGS} more of {case.id}"
    for suggestion in case.suggestions:
        killed = counted(len(suggestion.kills), "survivor")
        yield f"  suggestion: {case.file}: {case.id}: a test that kills {killed}:"
        yield from (f"      {line}" for line in suggestion.test.splitlines())
    alike = sum(case.is_probably_equivalent(mutant) for mutant in case.mutants)
    if alike:
        yield f"  {case.id}: {counted(alike, 'survivor')} probably equivalent: alike for {case.inputs_tried} inputs"


def _grade_line(eval_set: SetAudit) -> str:
    killed, survived = eval_set.count("killed"), eval_set.count("survived")
    if eval_set.letter is None:
        return f"{eval_set.id}: no grade: no mutant counts"
    errors = f", {eval_set.errors} errors" if eval_set.errors else ""
    return (
        f"{eval_set.id}: grade {eval_set.letter}: {killed} of {killed + survived} mutants killed "
        f"({rate_text(eval_set.kill_rate)}){errors}"
    )


def rate_text(rate: float | None) -> str:
    """Return a rate in percent; rounded down, so that nothing looks complete that is not."""
    return "n/a" if rate is None else f"{int(rate * 1000) / 10:.1f}%"
