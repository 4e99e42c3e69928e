"""Implementation Quality: requirements, tests, organisation and repetition of the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from nerv.inspection.values import Issue, IssueKind
from nerv.matching.code_names import words_of
from nerv.matching.edits_by_prompt import not_edited
from nerv.matching.spec_names import names_in_spec
from nerv.matching.stated_cases import untried_text
from nerv.rules.criterion import at, count, listed, no_evidence, not_recorded, scored
from nerv.rules.named_code import words_in_result
from nerv.rules.requirement_status import MEANINGS, RequirementStatus
from nerv.rules.requirements import Requirement
from nerv.rules.run_facts import RunFacts
from nerv.rules.tests_criterion import score_tests
from nerv.scorecard import Certainty, Criterion, Observation

_NAMED_SHARE = 0.25
_TESTS_ALONE_AT_MOST = 8
_UNPROVEN_AT_MOST, _BROKEN_AT_MOST = 6, 3
"""Tidy code is worth little where nothing shows that it works, and less where our own run of the tests failed."""
_ORGANISATION: frozenset[IssueKind] = frozenset({"long function", "complex function", "long file", "name", "types"})
_REPETITION: frozenset[IssueKind] = frozenset({"duplicate", "commented-out code", "dead code", "leftover"})
_WORST_FIRST: tuple[RequirementStatus, ...] = (
    "contradicted",
    "missed",
    "open",
    "unfinished",
    "claimed",
    "ticked",
    "shown",
    "checked",
    "audited",
    "verified",
)
_CERTAINTY: dict[RequirementStatus, Certainty] = {
    "verified": "inferred",
    "audited": "recorded",
    "checked": "inferred",
    "shown": "inferred",
}


def criteria(facts: RunFacts) -> tuple[Criterion, ...]:
    """Score the four criteria."""
    return (_score_requirements(facts), score_tests(facts), _score_organisation(facts), _score_repetition(facts))


def _score_requirements(facts: RunFacts) -> Criterion:
    if not facts.requirements.each:
        return no_evidence("requirements", "the spec contains no requirements.")
    if not facts.knows_requirements:
        return not_recorded("requirements", "this kind of source does not record what was completed.")
    met = facts.requirements.met
    # a name that only the rest of the project may define was not looked for
    wanted = names_in_spec(facts.evidence.spec) if facts.has_code and facts.knows_whole_project else ()
    missing = [one for one in wanted if facts.definition_index.find(one) is None]
    if facts.tests.shows_change:  # it may be there in a form that is no definition
        words = words_in_result(facts.evidence) or frozenset()
        missing = [one for one in missing if not words_of([one.name]) <= words]
    figure = met
    if wanted:
        figure = (1 - _NAMED_SHARE) * met + _NAMED_SHARE * (1 - len(missing) / len(wanted))
    reason = f"{figure:.0%} of the spec is shown to be met: {_status_counts(facts)}."
    if wanted:
        found = len(wanted) - len(missing)
        reason = f"{reason[:-1]}; the code defines {found} of {len(wanted)} names in the spec."
    if facts.tests.tried_share is not None and facts.requirements.backed:
        reason = f"{reason[:-1]}; tests try {facts.tests.tried_share:.0%} of what it states."
    most = Counter(one.status for one in facts.requirements.each).most_common(1)[0][0]
    return scored(
        "requirements",
        figure,
        reason,
        observations=[
            *_requirement_observations(facts.requirements.each),
            *_unverified_parts(facts.requirements.each),
            *(at(f"the spec names {one.name}, but the code does not define it", one.location) for one in missing),
        ],
        certainty=_CERTAINTY.get(most, "claimed"),
    )


def _status_counts(facts: RunFacts) -> str:
    counted = Counter(one.status for one in facts.requirements.each)
    counts = [f"{counted[status]} {MEANINGS[status]}" for status in reversed(_WORST_FIRST) if counted[status]]
    total = len(facts.requirements.each)
    ticked = facts.requirements.ticked_count
    boxes = f"; the run counts {ticked} as ticked off" if ticked else ""
    return f"of {count(total, 'item')}, {'; '.join(counts)}{boxes}"


def _requirement_observations(each: Iterable[Requirement]) -> list[Observation]:
    """Return the observations, contradicted and missing requirements first, then some of the best."""
    ordered = sorted(each, key=lambda one: (_WORST_FIRST.index(one.status), one.item.number))
    bad = [one.observation for one in ordered if one.value < 0.5]
    good = [one.observation for one in reversed(ordered) if one.value >= 0.5]
    return [*bad[:10], *good[: 15 - min(10, len(bad))]]


def _unverified_parts(each: Iterable[Requirement]) -> list[Observation]:
    """Return what items state that no test tries, for a reviewer to look at."""
    return [
        at(f"unverified, as no test tries it: {untried_text(one.untried)} of: {one.item.text[:100]}", one.item.location)
        for one in each
        if one.untried and one.status in ("verified", "checked")
    ]


def _score_organisation(facts: RunFacts) -> Criterion:
    return _score_by_issues(facts, "organisation", _ORGANISATION)


def _score_repetition(facts: RunFacts) -> Criterion:
    return _score_by_issues(facts, "repetition", _REPETITION)


def _score_by_issues(facts: RunFacts, key: str, kinds: frozenset[IssueKind]) -> Criterion:
    if not facts.has_code:
        return not_recorded(key, "this kind of source contains no code.")
    looked_at, at_most = facts.inspection.code_files, 10
    if not looked_at and not facts.evidence.spec.given:  # a session may be about tests alone
        looked_at, at_most = facts.inspection.files, _TESTS_ALONE_AT_MOST
    if not looked_at and facts.inspection.unparsed:
        return not_recorded(key, f"code in {facts.inspection.unparsed_languages} is not looked at.")
    if not looked_at and not facts.evidence.spec.given:
        return not_recorded(key, "the session changed no code.")
    if not looked_at:
        return no_evidence(key, "there is no code.")
    found = [issue for issue in facts.inspection.issues if issue.kind in kinds]
    weight = sum(issue.weight for issue in found)
    completed = facts.requirements.completed
    at_most = min(at_most, 10 if completed >= 0.5 else 3 + int(14 * completed))
    proven_at_most = (
        10 if facts.shown_to_work else _UNPROVEN_AT_MOST if facts.shown_to_work is None else _BROKEN_AT_MOST
    )
    at_most, limited = min(at_most, proven_at_most), proven_at_most < at_most
    lacking = facts.incomplete_at_most < at_most
    at_most = min(at_most, facts.incomplete_at_most)
    one, many = ("file", "files") if facts.inspection.code_files else ("file of tests", "files of tests")
    each = weight / facts.size
    reason = f"{_issues_text(found)} in {count(len(looked_at), one, many)}."
    if found:
        size = count(facts.size, "item")
        reason = f"{reason[:-1]}: {each:.2f} per item of the spec ({size}), where small ones count in part."
    foreign = not_edited(facts.evidence)
    others = [issue for issue in found if issue.location.file in foreign]
    if others:
        reason = f"{reason[:-1]}; {len(others)} of them in files that the session did not edit."
    if lacking:
        reason = f"{reason[:-1]}; at most {at_most}, as {facts.why_incomplete}."
    elif limited:
        why = "nothing shows that it works" if facts.shown_to_work is None else "it does not work"
        reason = f"{reason[:-1]}; at most {at_most}, as {why}."
    elif completed < 0.5:
        reason = f"{reason[:-1]}; at most {at_most}, as {completed:.0%} of the spec is completed."
    elif at_most < 10:
        reason = f"{reason[:-1]}; at most {at_most}, as nothing but tests was changed."
    shown = [(issue, "") for issue in found if issue.location.file not in foreign]
    shown += [(issue, ", not edited in this session") for issue in others]
    observations = [at(f"{issue.kind}: {issue.text}{note}", issue.location) for issue, note in shown[:15]]
    criterion = scored(key, each, reason, observations=observations, certainty="verified", at_most=at_most)
    return criterion if found else replace(criterion, advice="")  # there is nothing to fix


def _issues_text(found: list[Issue]) -> str:
    if not found:
        return "Nothing to object to"
    kinds = Counter(issue.kind for issue in found).most_common()
    return f"{count(len(found), 'review comment')} ({listed((f'{kind} {often}' for kind, often in kinds), 4)})"
