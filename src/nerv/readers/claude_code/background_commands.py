"""Commands that go on in the background: what their call returns is not their result, which a later line has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from nerv.location import Moment

_STARTED = re.compile(r"\s*(?:Command|You moved)\b[^\n]*?\bbackground[^\n(:]*?\(?(?:with )?\(?ID: (?P<id>[\w-]+)")
_SAVED_IN = re.compile(r"Output(?: is being written to)?: (?P<file>\S+?)\.?(?=\s|$)")
_STATUS = re.compile(r"<status>(?P<status>\w+)</status>")
_EXIT_CODE = re.compile(r"<exit_code>(-?\d+)</exit_code>|\bexit code:? (-?\d+)")
_PRINTED = re.compile(r"<(?P<tag>stdout|stderr|output)>\n?(?P<text>.*?)</(?P=tag)>", re.S)
_TASK = re.compile(r"\s*<task-notification>.*?<task-id>(?P<id>[\w-]+)</task-id>", re.S)
_LINE_NUMBER = re.compile(r"^ *\d+(?:→|\t)", re.M)
_OUTCOME = re.compile(r"pass|\bok\b|fail|error|success|\u2713|\u2714|\u2717|\u2718", re.I)
"""Something that a program says of how it went: what came before that is no result."""
_HAS_ENDED = re.compile(r"\bstatus:? (?:completed|failed)|\bexit code|\bcompleted\b")
_MOST_COMMANDS, _LONGEST_OUTPUT, _LOOKED_AT = 200, 200_000, 20_000


@dataclass(slots=True)
class BackgroundCommand:
    """A command that was sent to the background."""

    command: str
    moment: Moment
    output: str = ""
    exit_code: int | None = None
    shown: bool = False
    """Something of its result is in the log."""


class BackgroundCommands:
    """The commands of a session that go on in the background, by their ids and by the files that hold their output."""

    def __init__(self) -> None:
        self._running: dict[str, BackgroundCommand] = {}
        self._saved: dict[str, BackgroundCommand] = {}
        self._started: list[BackgroundCommand] = []

    def start(self, command: str, output: str, recorded: Mapping[str, object], moment: Moment) -> str | None:
        """Remember a command that goes on; return the file of its output, if any, or None if the command has ended."""
        match = _STARTED.match(output[:2_000])
        id_ = recorded.get("backgroundTaskId") or (match["id"] if match else None)
        if not isinstance(id_, str):
            return None
        started = BackgroundCommand(command=command, moment=moment)
        saved = _SAVED_IN.search(output[:2_000])
        file = saved["file"] if saved else ""
        if len(self._started) < _MOST_COMMANDS:
            self._running[id_] = started
            self._started.append(started)
            self._saved |= {file: started} if file else {}
        return file

    def show(self, id_: str, output: str) -> BackgroundCommand | None:
        """Take what a call shows of a command; return the command if it has ended."""
        known = self._running.get(id_)
        if known is None:
            return None
        printed = "".join(match["text"] for match in _PRINTED.finditer(output))
        known.output = (known.output + printed)[-_LONGEST_OUTPUT:]
        known.shown = known.shown or _OUTCOME.search(printed) is not None
        return self._ended(id_, output)

    def notify(self, message: str) -> BackgroundCommand | None:
        """Take a message of Claude Code's about a task; return the command if it is one, and has ended."""
        match = _TASK.match(message)
        return self._ended(match["id"], message) if match else None

    def read(self, file: str, content: str) -> BackgroundCommand | None:
        """Return the command whose output a file holds, with the output; None if it is no such file."""
        known = self._saved.get(file)
        if known is None:
            return None
        known.shown = True
        return BackgroundCommand(command=known.command, moment=known.moment, output=_LINE_NUMBER.sub("", content))

    def mention(self, output: str) -> None:
        """Take any other output, which may say that a command has ended."""
        for id_, started in self._running.items():
            if id_ in output[:_LOOKED_AT] and _HAS_ENDED.search(output[:_LOOKED_AT]):
                started.shown = True

    def look(self, command: str, saved: str) -> None:
        """Take a command that may show the output of one in the background: `saved` is that one, where it is known."""
        for started in self._started:
            started.shown = started.shown or started.command == saved
        for file, started in self._saved.items():
            started.shown = started.shown or file in command

    def unshown(self) -> list[BackgroundCommand]:
        """Return the commands of whose result the log shows nothing."""
        return [started for started in self._started if not started.shown]

    def _ended(self, id_: str, told: str) -> BackgroundCommand | None:
        status = _STATUS.search(told)
        if id_ not in self._running or status is None or status["status"] in ("running", "pending"):
            return None
        ended = self._running.pop(id_)
        ended.shown = True
        if code := _EXIT_CODE.search(told):
            ended.exit_code = int(code[1] or code[2])
        return ended
