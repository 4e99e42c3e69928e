"""Parser for git-log.txt, in any format of `git log`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from nerv.evidence import Commit
from nerv.location import Location, Moment
from nerv.readers.clock import Clock
from nerv.readers.event_fields import shorten
from nerv.readers.run_record import MOST

_FULL = re.compile(r"[*|\\/ ]*commit ([0-9a-f]{7,64})\b")
_MERGE = re.compile(r"[*|\\/ ]*Merge: ([0-9a-f ]+)$")
_DATE = re.compile(r"[*|\\/ ]*(?:Commit)?Date:\s+(.+)$")
_SUBJECT = re.compile(r"[*|\\/ ]*    (\S.*)$")
_SHORT = re.compile(r"[*|\\/ ]*([0-9a-f]{7,64})\s+(?:\([^)]*\)\s+)?(\S.*)$")


def parse(lines: Iterable[tuple[int, bytes]], name: str, clock: Clock) -> tuple[Commit, ...]:
    """Return the commits, oldest first; none is marked as made on main, as such a log does not show it."""
    found: list[Commit] = []
    parents, when, subject_due = 0, None, False
    for number, line in lines:
        text = line[:10_000].decode("utf-8", "replace").rstrip()
        if match := _FULL.match(text):
            parents, when, subject_due = 0, None, True
            location = Location(file=name, line=number)
            found.append(Commit(id=match[1], subject="", moment=Moment(location=location), parents=0, on_main=False))
        elif subject_due and (match := _MERGE.match(text)):
            parents = len(match[1].split())
        elif subject_due and (match := _DATE.match(text)):
            when = _time(match[1], clock)
        elif subject_due and (match := _SUBJECT.match(text)):
            last = found[-1]
            found[-1] = Commit(
                id=last.id,
                subject=shorten(match[1]),
                moment=Moment(location=last.moment.location, ms=when),
                parents=parents,
                on_main=False,
            )
            subject_due = False
        elif not subject_due and (match := _SHORT.match(text)):
            found.append(
                Commit(
                    id=match[1],
                    subject=shorten(match[2]),
                    moment=Moment(location=Location(file=name, line=number)),
                    parents=2 if match[2].startswith("Merge ") else 0,
                    on_main=False,
                )
            )
        if len(found) >= MOST:
            break
    return tuple(reversed(found))


def _time(text: str, clock: Clock) -> int | None:
    for form in ("%a %b %d %H:%M:%S %Y %z", "%Y-%m-%d %H:%M:%S %z"):
        try:
            return clock.known(round(datetime.strptime(text.strip(), form).timestamp() * 1000))
        except ValueError:
            continue
    return clock.known(text)
