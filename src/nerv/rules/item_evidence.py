"""Evidence about each item of the spec apart from tests: audits, finished tasks, and what was changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nerv.evidence import Evidence
from nerv.inspection.languages import unsupported_language
from nerv.inspection.source import is_written
from nerv.location import Location
from nerv.matching.code_names import plain_name
from nerv.matching.edits_by_prompt import edits_by_item
from nerv.matching.spec_names import DefinitionIndex, names_in_line
from nerv.matching.text_similarity import (
    COVERED,
    TOUCHED,
    Vocabulary,
    covered_items,
    mentioned_shares,
    related_items,
    stems,
)
from nerv.rules.named_code import named_definitions
from nerv.rules.other_deliveries import delivered_otherwise
from nerv.rules.requirement_status import RequirementStatus
from nerv.rules.test_evidence import TestEvidence
from nerv.scorecard import Observation
from nerv.spec import SpecItem


def audited_items(evidence: Evidence, vocabulary: Vocabulary) -> dict[int, tuple[bool, Observation]]:
    """Return the items that audits found met or missed; the latest audit that names an item decides."""
    items = evidence.spec.items
    quoted: dict[frozenset[str], list[int]] = {}
    for index, item in enumerate(items):
        quoted.setdefault(stems(item.text), []).append(index)
    found: dict[int, tuple[bool, Observation]] = {}
    for audit in evidence.workflow.audits:
        if audit.passed and not audit.met and not audit.missed:
            for index, item in enumerate(items):
                if item.cycle is not None and item.cycle == audit.cycle:
                    text = f"the audit of cycle {audit.cycle} passed, which covers: {item.text}"
                    found[index] = (True, Observation(text=text, location=audit.location))
        for met, texts in ((True, audit.met), (False, audit.missed)):
            for index in _items_in_audit(texts, quoted, vocabulary):
                found[index] = (
                    met,
                    Observation(
                        text=f"an audit found it {'met' if met else 'missing'}: {items[index].text}",
                        location=audit.location,
                    ),
                )
    return found


def _items_in_audit(
    texts: Iterable[str], quoted: Mapping[frozenset[str], list[int]], vocabulary: Vocabulary
) -> list[int]:
    """Return the items that an audit refers to: those it quotes, or else the most similar one."""
    found: list[int] = []
    for text in texts:
        found += quoted.get(stems(text)) or related_items(text, vocabulary, most=1)
    return found


def claimed_items(evidence: Evidence, items_by_task: Mapping[str, tuple[int, ...]]) -> dict[int, Observation]:
    """Return the items that finished tasks serve, by their titles."""
    found: dict[int, Observation] = {}
    for task in evidence.workflow.tasks:
        if task.status == "completed":
            for index in items_by_task[task.id]:
                location = task.ended.location if task.ended is not None else task.location
                found.setdefault(
                    index, Observation(text=f"claimed by the finished task “{task.title}”", location=location)
                )
    return found


def changed_items(
    evidence: Evidence, definition_index: DefinitionIndex, vocabulary: Vocabulary, tested: TestEvidence
) -> dict[int, tuple[RequirementStatus, Observation]]:
    """Return the changes made for each item, for sources that have neither checkboxes nor audits."""
    if "spec_completion" in evidence.recorded:
        return {}
    found: dict[int, tuple[RequirementStatus, Observation]] = {}
    works = tested.passed and tested.proves_change and tested.count and not tested.misses_changes
    mentioned: RequirementStatus = "checked" if works or tested.shows_change else "shown"
    for source in evidence.changes.written:
        lines = source.text.split("\n")
        own = [line for index, line in enumerate(lines) if is_written(source, index)]
        for index in covered_items(f"{source.path} " + "\n".join(own)[:20_000], vocabulary, most=8):
            text = f"the changes mention it: {evidence.spec.items[index].text[:100]}"
            found.setdefault(index, (mentioned, Observation(text=text, location=Location(file=source.path))))
    for index, (named, observation) in named_definitions(evidence, definition_index).items():
        mentioned_by_tests = plain_name(named) in tested.words or tested.shows_change
        is_tested = tested.passed and tested.proves_change and mentioned_by_tests
        found[index] = ("checked" if is_tested else "shown", observation)
    for index, observation in delivered_otherwise(evidence).items():
        found.setdefault(index, (mentioned, observation))
    for index, edits in edits_by_item(evidence).items():
        path, edited = edits[0]
        text, location = f"{path} was changed after the request", edited.location
        ran_later = tested.verified or (tested.last is not None and edited.before(tested.last.moment))
        if tested.passed and ran_later and not tested.misses_changes:
            found[index] = ("checked", Observation(text=f"{text}, and the tests passed afterwards", location=location))
        else:
            found[index] = ("shown", Observation(text=text, location=location))
    if tested.shows_change:
        for index, observation in touched_items(evidence, vocabulary).items():
            found.setdefault(index, ("checked", observation))
        for index, item in enumerate(evidence.spec.items):
            # not every sentence of a text in prose asks for something
            if item.kind == "sentence" and evidence.spec.given:
                text = f"a sentence that no change has words of, beside changes that tests show: {item.text[:100]}"
                found.setdefault(index, ("shown", Observation(text=text, location=item.location)))
    return found


def touched_items(evidence: Evidence, vocabulary: Vocabulary) -> dict[int, Observation]:
    """Return the items that the changes as a whole have some words in common with, in code, tests, data or documents.

    Where they have few words in common with any item, words tell nothing, and every item may be among the changes.
    """
    files = evidence.changes.diff.files if evidence.changes.diff is not None else ()
    hunks = [hunk for file in files for hunk in file.hunks]
    added = [hunk.lines[index] for hunk in hunks for index in sorted(hunk.added)]
    shares = mentioned_shares("\n".join([*(file.path for file in files), *added]), vocabulary)
    tells = max(shares.values(), default=0.0) >= COVERED
    return {
        index: Observation(text=f"the changes touch on it, and the tests show them: {item.text[:100]}")
        for index, item in enumerate(evidence.spec.items)
        if added and (not tells or shares.get(index, 0.0) >= TOUCHED)
    }


def undefined_endpoint(item: SpecItem, evidence: Evidence, definition_index: DefinitionIndex) -> Observation | None:
    """Return an observation if the item names an endpoint that the code does not define, where code is recorded."""
    if not evidence.recorded & {"diff", "repository"}:
        return None
    if any(unsupported_language(source.path) for source in evidence.changes.written):
        return None  # it may be in code that was not looked at
    for wanted in names_in_line(item.text, item.location):
        if wanted.kind == "endpoint" and definition_index.find(wanted) is None:
            text = f"claimed, but the code does not define {wanted.name}: {item.text}"
            return Observation(text=text, location=item.location)
    return None
