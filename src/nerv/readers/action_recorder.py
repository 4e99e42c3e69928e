"""What an agent did and said, collected line by line with bounded memory, and how its run ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain

from nerv.actions import Actions, Command, Ending, EndingKind, Fetch, FileRead, Message
from nerv.location import Moment
from nerv.readers.prompt_words import asks_for_change, is_correction, is_thanks

_FIRST_COMMANDS, _LAST_COMMANDS = 500, 1_500
_MOST_READS, _MOST_FETCHES, _MOST_CORRECTIONS = 2_000, 200, 200
LONGEST_TEXT, _LONGEST_END, _LONGEST_FETCH, _LONGEST_ENDING = 4_000, 2_000, 8_000, 500
_CUT = "\n[…]\n"


@dataclass(slots=True)
class ActionRecorder:
    """Collects the actions of a run."""

    _first: list[Command] = field(default_factory=list)
    _last: deque[Command] = field(default_factory=lambda: deque(maxlen=_LAST_COMMANDS))
    _reads: dict[str, FileRead] = field(default_factory=dict)
    _fetches: list[Fetch] = field(default_factory=list)
    _corrections: list[Message] = field(default_factory=list)
    _final: Message | None = None
    _ending: Ending | None = None
    _asked: bool = False
    _stopped: bool = False

    def command(
        self, text: str, output: str, moment: Moment, *, exit_code: int | None = None, failed: bool | None = None
    ) -> None:
        """Take a shell command with its output."""
        if failed is None and exit_code is not None:
            failed = exit_code != 0
        ran = Command(
            moment=moment, text=text[:LONGEST_TEXT], output=_both_ends(output), exit_code=exit_code, failed=failed
        )
        (self._first if len(self._first) < _FIRST_COMMANDS else self._last).append(ran)

    def read(self, path: str, moment: Moment) -> None:
        """Take a file that was read."""
        if path and path not in self._reads and len(self._reads) < _MOST_READS:
            self._reads[path] = FileRead(moment=moment, path=path)

    def fetch(self, address: str, text: str, moment: Moment) -> None:
        """Take what came from the network."""
        if len(self._fetches) < _MOST_FETCHES:
            self._fetches.append(Fetch(moment=moment, address=address[:LONGEST_TEXT], text=text[:_LONGEST_FETCH]))

    def prompt(self, text: str, moment: Moment) -> None:
        """Take what the user asked: the run has to answer it, unless it is thanks for an answer."""
        if is_thanks(text) and self._ending is not None and self._ending.kind == "answered":
            return
        corrects = is_correction(text) or (self._stopped and not asks_for_change(text))
        if self._asked and corrects and len(self._corrections) < _MOST_CORRECTIONS:
            self._corrections.append(Message(moment=moment, text=text[:LONGEST_TEXT]))
        self._asked, self._stopped = True, False
        self._end("no_answer", moment, "the last request was not answered")

    def work(self, moment: Moment) -> None:
        """Take a call of a tool or its result: an answer is still to come."""
        if self._ending is None or self._ending.kind != "no_answer":
            self._end("no_answer", moment, "the log ends in the middle of the work")

    def said(self, text: str, moment: Moment) -> None:
        """Take the agent's words to the user."""
        if text.strip():
            self._final = Message(moment=moment, text=_both_ends(text))
            self._end("answered", moment)

    def interrupted(self, moment: Moment, text: str = "") -> None:
        """Take a stop by the user; the next prompt says why."""
        self._stopped = True
        self._end("interrupted", moment, text)

    def ended(self, kind: EndingKind, moment: Moment, text: str = "") -> None:
        """Take the end as the log itself states it."""
        self._end(kind, moment, text)

    def actions(self) -> Actions:
        """Return what was collected."""
        return Actions(
            commands=_in_order((*self._first, *self._last)),
            reads=tuple(self._reads.values()),
            fetches=tuple(self._fetches),
            corrections=tuple(self._corrections),
            final_message=self._final,
            ending=self._ending,
        )

    def _end(self, kind: EndingKind, moment: Moment, text: str = "") -> None:
        self._ending = Ending(kind=kind, moment=moment, text=text[:_LONGEST_ENDING])


def join(every: Iterable[Actions]) -> Actions:
    """Return the actions of several conversations as those of one run; the last one that ends is its end."""
    parts = list(every)
    commands = _in_order(chain.from_iterable(part.commands for part in parts))
    if len(commands) > _FIRST_COMMANDS + _LAST_COMMANDS:
        commands = (*commands[:_FIRST_COMMANDS], *commands[-_LAST_COMMANDS:])
    reads = {read.path: read for part in reversed(parts) for read in part.reads}
    last = max(enumerate(parts), key=_end_of_part, default=(0, Actions()))[1]
    return replace(
        last,
        commands=commands,
        reads=tuple(list(reads.values())[:_MOST_READS]),
        fetches=tuple(chain.from_iterable(part.fetches for part in parts))[:_MOST_FETCHES],
        corrections=tuple(chain.from_iterable(part.corrections for part in parts))[:_MOST_CORRECTIONS],
    )


def _end_of_part(numbered: tuple[int, Actions]) -> tuple[bool, int, int]:
    number, part = numbered
    return part.ending is not None, (part.ending.moment.ms or 0) if part.ending else 0, number


def _in_order(commands: Iterable[Command]) -> tuple[Command, ...]:
    """Return the commands by time where all have one: subagents are read after the main conversation."""
    found = tuple(commands)
    if any(command.moment.ms is None for command in found):
        return found
    return tuple(sorted(found, key=lambda command: command.moment.ms or 0))


def _both_ends(text: str) -> str:
    if len(text) <= 2 * _LONGEST_END:
        return text
    return text[:_LONGEST_END] + _CUT + text[-_LONGEST_END:]
