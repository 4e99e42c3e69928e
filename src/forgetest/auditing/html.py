"""One page of an audit: a row per case, and each survivor as a diff. It fetches nothing and runs no script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import IO

from forgetest.auditing.results import Audit, CaseAudit, MutantResult, SetAudit, diff
from forgetest.auditing.rules import RULES
from forgetest.auditing.terminal import rate_text
from forgetest.files.printable import terminal_safe
from forgetest.renderers.html import page
from forgetest.renderers.model_table import counted

FILENAME = "audit.html"

_STYLES = ("style.css", "table.css", "sample.css", "audit.css")
_LEVELS = {"error": "bad", "warning": "mixed", "note": "unknown"}
_LETTERS = {"A": "good", "B": "good", "C": "mixed", "D": "bad", "F": "bad"}
_HEADINGS = (
    "Killed",
    "Survived",
    "Equivalent",
    "Accepted",
    "Not compiling",
    "Rate",
    "Lazy answers",
    "Forgeries",
    "Lines reached",
    "Branches reached",
)


def write(audit: Audit, stream: IO[str]) -> None:
    """Write the page."""
    names = ", ".join(eval_set.name for eval_set in audit.eval_sets)
    page.write(
        stream,
        body="audit.html",
        title=f"forgetest audit: {names}",
        styles=_STYLES,
        scripts=(),
        data=(),
        pictures="\n".join(_content(audit)),
    )


def _content(audit: Audit) -> Iterator[str]:
    options = audit.options
    yield (
        f'<p class="subtitle">{_text(audit.created_at)} · forgetest {_text(audit.version)} · at most {options.mutants} '
        f"mutants a case, seed {options.seed} · each reference solution judged {counted(options.repeat, 'time')}</p>"
    )
    for number, eval_set in enumerate(audit.eval_sets):
        yield from _set_section(eval_set, number)


def _set_section(eval_set: SetAudit, number: int) -> Iterator[str]:
    letter = eval_set.letter
    badge = f'<span class="letter {_LETTERS[letter]}">{letter}</span> ' if letter else ""
    killed, survived = eval_set.count("killed"), eval_set.count("survived")
    yield f"<section><h2>{badge}{_text(eval_set.name)}</h2>"
    yield (
        f'<p class="hint">{_text(eval_set.path)}: {killed} of {killed + survived} mutants killed '
        f"({rate_text(eval_set.kill_rate)}); {eval_set.errors} errors</p>"
    )
    yield _table_start("Cases", "Case", _HEADINGS)
    for index, case in enumerate(eval_set.cases):
        cells = "".join(f'<td class="numeric">{text}</td>' for text in _figures(case))
        yield f'<tr><th scope="row"><a href="#case-{number}-{index}">{_text(case.id)}</a></th>{cells}</tr>'
    yield "</tbody></table></div>"
    for index, case in enumerate(eval_set.cases):
        yield from _case_card(case, f"case-{number}-{index}")
    yield "</section>"


def _figures(case: CaseAudit) -> Iterator[str]:
    if not case.mutants:
        yield from ("n/a",) * len(_HEADINGS)
        return
    for status in ("killed", "survived", "equivalent", "accepted", "invalid"):
        yield str(case.count(status))
    kind = "good" if case.kill_rate == 1.0 else "mixed" if (case.kill_rate or 0.0) >= 0.85 else "bad"
    yield f'<span class="badge {kind}">{rate_text(case.kill_rate)}</span>'
    for impostor in ("lazy", "forgery"):
        own = [result for result in case.impostors if result.impostor.kind == impostor]
        believed = sum(result.status == "believed" for result in own)
        asked = sum(result.status in ("believed", "rejected") for result in own)
        text = f"{believed} of {asked} pass"
        yield f'<span class="badge bad">{text}</span>' if believed else text
    reached = case.coverage
    if reached is None:
        yield from ("n/a", "n/a")
        return
    for done, total in ((reached.lines_reached, reached.lines), (reached.branches_reached, reached.branches)):
        text = f"{done} of {total}"
        yield text if done == total else f'<span class="badge mixed">{text}</span>'


def _case_card(case: CaseAudit, anchor: str) -> Iterator[str]:
    grave = [finding for finding in case.findings if finding.level != "note"]
    worst = min((finding.level for finding in grave), default=None)
    badge = f'<span class="badge {_LEVELS[worst]}">{counted(len(grave), "finding")}</span>' if worst else "no finding"
    yield f'<details class="card" id="{anchor}"{" open" if grave else ""}>'
    yield f"<summary><h3>{_text(case.id)}</h3> {badge}</summary><div>"
    yield f'<p class="hint">{_text(case.file)}:{case.line} · {_text(case.language)} · {_reference_text(case)}</p>'
    others = [finding for finding in case.findings if finding.rule != "mutant-survives"]
    if others:
        yield '<ul class="findings">'
        for finding in others:
            title = escape(RULES[finding.rule].advice)
            yield (
                f'<li><span class="badge {_LEVELS[finding.level]}">{finding.level}</span> line {finding.line}: '
                f'{_marked(finding.message)}. <span class="faint">{title}</span></li>'
            )
        yield "</ul>"
    yield from _survivors(case)
    yield from _accepted(case)
    yield from _tests(case)
    yield "</div></details>"


def _reference_text(case: CaseAudit) -> str:
    reference = case.reference
    if reference is None:
        return "no reference solution"
    state = "correct" if reference.correct else "not correct"
    share = reference.share_of_time_limit
    time = "" if share is None else f", slowest test takes {share:.1%} of the time limit"
    flaky = f", {reference.disagreeing} of {reference.judged} verdicts differ" if reference.disagreeing else ""
    return f"reference solution {state}{flaky}{time}; {len(case.mutants)} of {case.possible_mutants} mutants judged"


def _survivors(case: CaseAudit) -> Iterator[str]:
    """Show each survivor as a diff; those that the same suggested test kills are together, with the test."""
    survivors = [mutant for mutant in case.mutants if mutant.status == "survived"]
    if survivors:
        yield "<h4>Survivors: no test notices these changes of the reference solution</h4>"
    for suggestion in case.suggestions:
        killed = [mutant for mutant in survivors if case.suggestion_for(mutant) is suggestion]
        yield f"<p>A test that is missing; it kills the next {counted(len(killed), 'survivor')}:</p>"
        lines = "".join(f'<span class="added">{_text(line) or " "}</span>' for line in suggestion.test.splitlines())
        yield f'<div class="diff" role="region" aria-label="Suggested test" tabindex="0">{lines}</div>'
        for mutant in killed:
            yield from _survivor(case, mutant)
    for mutant in survivors:
        if case.suggestion_for(mutant) is None:
            yield from _survivor(case, mutant)
            if case.is_probably_equivalent(mutant):
                yield f'<p class="hint">Probably equivalent: none of {case.inputs_tried} inputs tells it apart.</p>'


def _survivor(case: CaseAudit, mutant: MutantResult) -> Iterator[str]:
    change = mutant.mutation
    place = f"<b>{_text(change.operator)}</b>, line {change.line}."
    yield f'<p class="survivor">{place} {_should_notice(case, mutant)}</p>'
    yield f'<div class="diff" role="region" aria-label="Difference" tabindex="0">{_diff(case, mutant)}</div>'


def _accepted(case: CaseAudit) -> Iterator[str]:
    accepted = [mutant for mutant in case.mutants if mutant.status == "accepted"]
    if not accepted:
        return
    yield f"<details><summary>{counted(len(accepted), 'mutant')} accepted by the case</summary>"
    for mutant in accepted:
        place = f"<b>{_text(mutant.mutation.operator)}</b>, line {mutant.mutation.line}."
        yield f'<p class="survivor">{place} Accepted because: {_text(mutant.reason)}</p>'
        yield f'<div class="diff" role="region" aria-label="Difference" tabindex="0">{_diff(case, mutant)}</div>'
    yield "</details>"


def _should_notice(case: CaseAudit, survivor: MutantResult) -> str:
    """Name the tests that notice other changes of the same line."""
    counts: dict[str, int] = {}
    for mutant in case.mutants:
        if mutant.mutation.line == survivor.mutation.line:
            for test in mutant.killed_by:
                counts[test] = counts.get(test, 0) + 1
    if not counts:
        return "No test notices any change of this line."
    names = sorted(counts, key=lambda name: -counts[name])[:3]
    return f"Tests that notice other changes of this line: {', '.join(_text(name) for name in names)}."


def _diff(case: CaseAudit, mutant: MutantResult) -> str:
    kinds = {"+": "added", "-": "removed", "@": "place"}
    lines: Iterable[str] = diff(case.code or "", mutant.mutation.code)
    return "".join(f'<span class="{kinds.get(line[:1], "same")}">{_text(line) or " "}</span>' for line in lines)


def _tests(case: CaseAudit) -> Iterator[str]:
    if not case.tests:
        return
    yield "<details><summary>Tests</summary>"
    rows: Sequence[Sequence[object]] = [
        (test.name, test.kills, test.kills_alone, f"{test.cpu_ms:.1f}") for test in case.tests
    ]
    yield _table_start("Tests", "Test", ("Kills", "That no other test kills", "CPU time, ms"))
    for name, *figures in rows:
        cells = "".join(f'<td class="numeric">{figure}</td>' for figure in figures)
        yield f'<tr><th scope="row">{_text(str(name))}</th>{cells}</tr>'
    yield "</tbody></table></div></details>"


def _table_start(label: str, first: str, numeric: Iterable[str]) -> str:
    headings = "".join(f'<th scope="col" class="numeric">{heading}</th>' for heading in numeric)
    return (
        f'<div class="scroll" role="region" aria-label="{label}" tabindex="0"><table><thead><tr>'
        f'<th scope="col">{first}</th>{headings}</tr></thead><tbody>'
    )


def _text(text: str) -> str:
    return escape(terminal_safe(text))


def _marked(message: str) -> str:
    """Return a message with the pieces between backquotes as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", _text(message))
