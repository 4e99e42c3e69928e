"""The lines of a run and of its subagents in one order: by time, or else where each subagent was started."""

from __future__ import annotations

import heapq
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nerv.readers.agents.transcript import Line, Subagent, Transcript
from nerv.readers.clock import absolute_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptLine:
    """A line of a run, with the file and the place that it comes from."""

    file: str
    place: int
    fields: Line


_Timed = tuple[int, TranscriptLine]


def lines_in_order(transcript: Transcript, name: str) -> Iterator[TranscriptLine]:
    """Yield the lines of a transcript, read from the file `name`, with those of its subagents among them."""
    timed = [subagent for subagent in transcript.subagents if _has_times(subagent.lines)]
    main = _with_untimed(transcript, name, [each for each in transcript.subagents if each not in timed])
    streams = [main, *(_timed(_lines(subagent)) for subagent in timed)]
    for _, line in heapq.merge(*streams, key=lambda each: each[0]):
        yield line


def _with_untimed(transcript: Transcript, name: str, untimed: Sequence[Subagent]) -> Iterator[_Timed]:
    """Yield the run's own lines, and those of subagents without times after the line that started them."""
    waiting = deque(sorted(untimed, key=_start))
    latest = 0
    for place, fields in transcript.lines:
        while waiting and _start(waiting[0]) < place:
            yield from ((latest, line) for line in _lines(waiting.popleft()))
        latest = max(latest, absolute_ms(fields.get("timestamp")) or 0)
        yield latest, TranscriptLine(file=name, place=place, fields=fields)
    for subagent in waiting:
        yield from ((latest, line) for line in _lines(subagent))


def _start(subagent: Subagent) -> int:
    return sys.maxsize if subagent.started_by is None else subagent.started_by


def _timed(lines: Iterator[TranscriptLine]) -> Iterator[_Timed]:
    """Yield lines with their times; a line without one follows the line before it."""
    latest = 0
    for line in lines:
        latest = max(latest, absolute_ms(line.fields.get("timestamp")) or 0)
        yield latest, line


def _lines(subagent: Subagent) -> Iterator[TranscriptLine]:
    """Yield what a subagent did; how it ended is not how the run ended."""
    for place, fields in subagent.lines:
        if fields.get("type") != "result":
            yield TranscriptLine(file=subagent.name, place=place, fields=fields)


def _has_times(lines: Sequence[tuple[int, Line]]) -> bool:
    return any(absolute_ms(fields.get("timestamp")) is not None for _, fields in lines)
