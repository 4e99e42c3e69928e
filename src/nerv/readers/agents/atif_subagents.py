"""The subagents of an ATIF trajectory: embedded in it (`subagent_trajectories`), or in files beside it.

The result of a call refers to them: by the `trajectory_id` of an embedded one, or by a `trajectory_path`. Earlier
versions name an embedded one by its `session_id`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerv.readers.agents.transcript import mapping, mappings, text, text_of
from nerv.readers.source_files import SourceFiles

_MOST_SUBAGENTS = 1_000

Step = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentTrajectory:
    """The trajectory of a subagent."""

    name: str
    """Its file, or the name of the file that it is embedded in, with its id."""
    id: str
    document: Mapping[str, Any]
    steps: Sequence[Step]
    """Without those that it copied from the trajectory that started it."""
    step: int | None
    """The number of the step that refers to it; None if none does."""


def subagents_of(
    parts: Sequence[Mapping[str, Any]], steps: Sequence[Step], file: Path, files: SourceFiles
) -> list[SubagentTrajectory]:
    """Return the subagents of a trajectory and theirs, in the order in which steps refer to them."""
    references = [(number, each) for number, step in enumerate(steps, 1) for each in _references(step)]
    known = _fingerprints(steps)
    found = [
        one
        for part in parts
        for embedded in mappings(part.get("subagent_trajectories"))
        for one in _embedded(embedded, references, known, file.name)
    ]
    found += _beside(references, known, {one.id for one in found}, file, files)
    return sorted(found[:_MOST_SUBAGENTS], key=lambda one: len(steps) + 1 if one.step is None else one.step)


def _embedded(
    document: Mapping[str, Any], references: Sequence[tuple[int, Step]], known: set[str], name: str
) -> Iterator[SubagentTrajectory]:
    """Yield an embedded trajectory and those embedded in it, which belong to the same step of the run."""
    waiting, number = [document], 0
    ids = _ids(document)
    step = next((at for at, each in references if _ids(each) & ids), None)
    while waiting and number < _MOST_SUBAGENTS:
        number += 1
        one = waiting.pop(0)
        own = [step for step in mappings(one.get("steps")) if _fingerprint(step) not in known]
        id_ = text(one.get("trajectory_id")) or text(one.get("session_id")) or str(number)
        yield SubagentTrajectory(name=f"{name}#{id_}", id=id_, document=one, steps=own, step=step)
        waiting = [*mappings(one.get("subagent_trajectories")), *waiting]


def _beside(
    references: Sequence[tuple[int, Step]], known: set[str], embedded: set[str], file: Path, files: SourceFiles
) -> Iterator[SubagentTrajectory]:
    """Yield the trajectories in files of their own."""
    seen = {file.name}
    for number, reference in references:
        name = Path(text(reference.get("trajectory_path"))).name
        if not name or name in seen or _ids(reference) & embedded:
            continue
        seen.add(name)
        document = mapping(files.document(file.with_name(name), name))
        if not document:
            files.warn(f"{file.name}: a subagent's trajectory is in {name}, which is missing or no trajectory")
            continue
        own = [step for step in mappings(document.get("steps")) if _fingerprint(step) not in known]
        id_ = text(document.get("trajectory_id")) or text(document.get("session_id")) or name
        yield SubagentTrajectory(name=name, id=id_, document=document, steps=own, step=number)


def _references(step: Step) -> list[Mapping[str, Any]]:
    results = mappings(mapping(step.get("observation")).get("results"))
    found: list[Mapping[str, Any]] = []
    for result in results:
        reference = result.get("subagent_trajectory_ref")
        found += [reference] if isinstance(reference, Mapping) else mappings(reference)
    return found


def _ids(named: Mapping[str, Any]) -> set[str]:
    """Return the ids of a trajectory or of a reference: subagents may share the session of their run."""
    id_ = text(named.get("trajectory_id"))
    return {id_} if id_ else {text(named.get("session_id"))} - {""}


def _fingerprints(steps: Sequence[Step]) -> set[str]:
    return {found for step in steps if (found := _fingerprint(step))}


def _fingerprint(step: Step) -> str:
    """Return what tells a step from any other; empty for one without a time or a call."""
    calls = [text(call.get("tool_call_id")) for call in mappings(step.get("tool_calls"))]
    stamp = text(step.get("timestamp"))
    if not stamp:
        return ""
    return "\0".join([stamp, text(step.get("source")), text_of(step.get("message")), *calls])
