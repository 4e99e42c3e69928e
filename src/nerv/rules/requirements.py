"""The status of each requirement, from verified down to contradicted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass

from nerv.evidence import Evidence
from nerv.matching.code_names import names_of
from nerv.matching.spec_names import DefinitionIndex
from nerv.matching.stated_cases import StatedCase
from nerv.matching.text_similarity import Vocabulary
from nerv.rules.admissions import admitted_items
from nerv.rules.item_evidence import audited_items, changed_items, claimed_items, undefined_endpoint
from nerv.rules.named_code import (
    absent_name,
    absent_option,
    remaining_function,
    undefined_function,
    words_in_result,
    words_taken_away,
)
from nerv.rules.requirement_status import COMPLETED, VALUES, RequirementStatus
from nerv.rules.test_evidence import TestEvidence
from nerv.rules.unfinished_work import corrected_items, unfinished_items
from nerv.scorecard import Observation
from nerv.spec import SpecItem

_SHOWN_BY_OUR_RUNS = 0.7
"""Least value of an item that tests are about where our own runs show that they fail without the change: which of its
cases they try is told by words alone."""

_LONGEST_QUOTE = 100
"""The most letters of an item in a sentence about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One item of the spec, with its status."""

    item: SpecItem
    status: RequirementStatus
    observation: Observation
    """The reason for the status, with its location."""
    admitted: bool = False
    """The agent's last words name it as not done."""
    absent: bool = False
    """The result lacks a name that the item gives as code, or has one that is to go, so it cannot be met."""
    stated: int = 0
    """The number of cases that it states; 0 if it is not known which of them tests try."""
    untried: tuple[StatedCase, ...] = ()
    """What it states and no test tries."""
    at_least: float = 0.0
    """Its value whatever part of it tests try: without these tests, or by our own runs of them."""

    @property
    def value(self) -> float:
        """The value of its status, from -0.2 to 1."""
        return VALUES[self.status]

    @property
    def shown_value(self) -> float:
        """The value of what is shown of it: tests that try only a part of what it states show only that part."""
        if self.status not in ("verified", "checked") or not self.stated:
            return self.value
        least, tried = VALUES["shown"], 1 - len(self.untried) / self.stated
        return max(self.at_least, least + (self.value - least) * tried)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """All items of the spec."""

    each: tuple[Requirement, ...]
    ticked_count: int
    """The number of items that the run's last count gave as ticked off; which ones is not known."""

    @property
    def values(self) -> tuple[float, ...]:
        """The value of each requirement, best first.

        The run may report only a number of ticked boxes; they raise the best of the rest to `ticked`. If that number
        is so large that some missed requirements must be among them, these are contradicted.
        """
        return self._lifted(lambda one: one.value)

    def _lifted(self, value_of: Callable[[Requirement], float]) -> tuple[float, ...]:
        missed = len(self.of("missed"))
        possible = sorted((value_of(one) for one in self.each if one.status != "missed"), reverse=True)
        unnamed = self.ticked_count - len(self.of("contradicted"))  # the false ones are among the count
        lifted = [
            max(value, COMPLETED) if index < unnamed and value >= 0 else value for index, value in enumerate(possible)
        ]
        false = min(missed, max(0, self.ticked_count - len(possible)))
        return (*lifted, *[VALUES["missed"]] * (missed - false), *[VALUES["contradicted"]] * false)

    @property
    def met(self) -> float:
        """The share of the spec that is shown to be met, from 0 to 1."""
        shown = self._lifted(lambda one: one.shown_value)
        return max(0.0, sum(shown)) / len(self.each) if self.each else 0.0

    @property
    def completed(self) -> float:
        """The share of the spec that counts as completed: ticked off or better."""
        return sum(value >= COMPLETED for value in self.values) / len(self.each) if self.each else 0.0

    @property
    def backed(self) -> float:
        """The share of the spec that passing tests or an audit confirm."""
        return sum(one.value >= VALUES["audited"] for one in self.each) / len(self.each) if self.each else 0.0

    @property
    def absent(self) -> float:
        """The share of the spec that the result certainly lacks."""
        return sum(one.absent for one in self.each) / len(self.each) if self.each else 0.0

    @property
    def veto(self) -> str:
        """Why the run cannot pass, in one sentence; empty if it does not say itself that something is not done."""
        admitted = [one for one in self.each if one.admitted]
        if not admitted:
            return ""
        count = "1 item" if len(admitted) == 1 else f"{len(admitted)} items"
        what = " ".join(admitted[0].item.text.split())
        what = what if len(what) <= _LONGEST_QUOTE else f"{what[:_LONGEST_QUOTE].rsplit(' ', 1)[0]} …"
        return f"By the agent's own words, {count} of the spec's {len(self.each)} {_are(admitted)} not done: {what}."

    def of(self, status: RequirementStatus) -> tuple[Requirement, ...]:
        """Return the requirements with this status."""
        return tuple(one for one in self.each if one.status == status)


def assess_requirements(
    evidence: Evidence,
    definition_index: DefinitionIndex,
    vocabulary: Vocabulary,
    tested: TestEvidence,
    items_by_task: Mapping[str, tuple[int, ...]],
) -> Requirements:
    """Determine the status of every item of the spec; `items_by_task` has the items that each task serves."""
    audited = audited_items(evidence, vocabulary)
    tasks = claimed_items(evidence, items_by_task)
    shown = changed_items(evidence, definition_index, vocabulary, tested)
    unfinished, corrected = unfinished_items(evidence), corrected_items(evidence)
    admitted = admitted_items(evidence, vocabulary)
    present, taken_away = words_in_result(evidence), words_taken_away(evidence)
    each = []
    for index, item in enumerate(evidence.spec.items):
        status, observation = _requirement_status(index, item, tested, audited, tasks, shown)
        otherwise = _status_without_tests(index, item, audited, tasks, shown)[0]
        absent = absent_name(item, present, taken_away, to_create=tested.shows_change)
        absent = absent or undefined_function(item, evidence)
        absent = absent or remaining_function(item, evidence) or absent_option(item, evidence)
        if absent is not None:
            status = "contradicted" if item.ticked or index in tasks else "open"
            observation = absent
        elif (
            status in ("ticked", "claimed")
            and (missing := undefined_endpoint(item, evidence, definition_index)) is not None
        ):
            status, observation = "contradicted", missing
        elif status == "shown" and index in unfinished:
            status, observation = "unfinished", unfinished[index]
        elif status in ("verified", "checked", "shown", "ticked") and index in admitted:
            status, observation = "unfinished", admitted[index]
        elif index in corrected and (status in ("shown", "checked") or (status == "verified" and index in unfinished)):
            status, observation = "unfinished", corrected[index]  # tests before it do not answer the user's last word
        status, observation = _without_unheld_functions(item, status, observation, tested)
        status, observation = _tried_by_examples(item, status, observation, tested)
        status, observation = _outranked_by_verification(status, observation, tested)
        each.append(
            Requirement(
                item=item,
                status=status,
                observation=observation,
                admitted=index in admitted and not tested.accepted,
                absent=absent is not None,
                stated=0 if tested.accepted else tested.stated.get(index, 0),
                untried=() if tested.accepted else tested.untried.get(index, ()),
                at_least=_SHOWN_BY_OUR_RUNS if tested.shows_change else _value_without_tests(otherwise),
            )
        )
    last = evidence.workflow.completion[-1] if evidence.workflow.completion else None
    ticked = last.checked * len(each) // last.total if last is not None and last.total > 0 else 0
    # boxes that were ticked while our own run of the tests fails complete nothing
    return Requirements(each=tuple(each), ticked_count=0 if tested.rejected else min(ticked, len(each)))


def _are(items: Sized) -> str:
    return "is" if len(items) == 1 else "are"


def _value_without_tests(status: RequirementStatus) -> float:
    return 0.0 if status == "checked" else VALUES[status]


def _requirement_status(
    index: int,
    item: SpecItem,
    tested: TestEvidence,
    audited: Mapping[int, tuple[bool, Observation]],
    tasks: Mapping[int, Observation],
    shown: Mapping[int, tuple[RequirementStatus, Observation]],
) -> tuple[RequirementStatus, Observation]:
    met, observation = audited.get(index, (None, None))
    if met is False and observation is not None:
        claimed = item.ticked or index in tasks
        return ("contradicted" if claimed else "missed"), observation
    if index in tested.covered and tested.passed and tested.proves_change:
        return "verified", tested.covered[index]
    return _status_without_tests(index, item, audited, tasks, shown)


def _status_without_tests(
    index: int,
    item: SpecItem,
    audited: Mapping[int, tuple[bool, Observation]],
    tasks: Mapping[int, Observation],
    shown: Mapping[int, tuple[RequirementStatus, Observation]],
) -> tuple[RequirementStatus, Observation]:
    met, observation = audited.get(index, (None, None))
    if met and observation is not None:
        return "audited", observation
    if item.ticked:
        return "ticked", Observation(text=f"ticked off, without other evidence: {item.text}", location=item.location)
    if index in shown:
        return shown[index]
    if index in tasks:
        return "claimed", tasks[index]
    return "open", Observation(text=f"no evidence: {item.text}", location=item.location)


def _without_unheld_functions(
    item: SpecItem, status: RequirementStatus, observation: Observation, tested: TestEvidence
) -> tuple[RequirementStatus, Observation]:
    """Return the status if an item names a function that no test needs: tests then show nothing about it."""
    names = [name for name in names_of(item.text) if name in tested.unheld]
    if not names or status not in ("verified", "checked") or tested.accepted:
        return status, observation
    text = f"no test notices if `{names[0]}` fails: {item.text}"
    return "shown", Observation(text=text, location=item.location)


def _tried_by_examples(
    item: SpecItem, status: RequirementStatus, observation: Observation, tested: TestEvidence
) -> tuple[RequirementStatus, Observation]:
    """Return the status after the item's own examples were run: a wrong one contradicts it, right ones support it."""
    examples = tested.examples.get(item.number, ())
    wrong = next((example for example in examples if example.status == "wrong"), None)
    if wrong is not None:
        return "contradicted", Observation(
            text=f"an example of the spec does not hold: {wrong}", location=item.location
        )
    if examples and status in ("open", "claimed", "shown"):
        text = f"{examples[0].call} gives {examples[0].got}, as the spec says: {item.text}"
        return "checked", Observation(text=text, location=item.location)
    return status, observation


def _outranked_by_verification(
    status: RequirementStatus, observation: Observation, tested: TestEvidence
) -> tuple[RequirementStatus, Observation]:
    """Return the status after our own test run: it outranks what is recorded, and that outranks what is claimed."""
    rests_on_the_record = status in ("audited", "checked", "ticked", "shown", "claimed", "unfinished")
    rests_on_the_record = rests_on_the_record or (
        status == "open" and tested.last is not None and tested.last.acceptance
    )
    if tested.rejected and VALUES[status] > VALUES["claimed"]:
        text = f"not counted as met, because {tested.why_rejected}: {observation.text}"
        return "claimed", Observation(text=text, location=observation.location)
    if tested.accepted and rests_on_the_record:
        text = f"the acceptance tests pass, and {observation.text}"
        return "verified", Observation(text=text, location=observation.location)
    return status, observation
