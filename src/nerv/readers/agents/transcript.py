"""Transcript: another agent's log in the form of Claude Code's, the richest that nerv reads.

Each format has a module that turns its records into these lines; everything else (edits, test runs, errors, tokens,
compactions, interruptions) is then found by the one reader of conversations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from nerv.actions import EndingKind
from nerv.evidence import Subject, TestSuiteRun
from nerv.location import Moment
from nerv.readers.claude_code.endings import SUBTYPES

Line = dict[str, Any]

_EVERYWHERE: frozenset[Subject] = frozenset({"tools", "tests"})
"""The subjects that every log of an agent knows."""


def subjects(
    *, tokens: bool = False, cost: bool = False, time: bool = False, compactions: bool = False
) -> frozenset[Subject]:
    """Return the subjects that a log knows: tool calls and test runs always, the others as given."""
    found = set(_EVERYWHERE)
    found |= {"tokens"} if tokens else set()
    found |= {"cost"} if cost else set()
    found |= {"time"} if time else set()
    found |= {"compactions"} if compactions else set()
    return frozenset(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkTests:
    """The outcome of a benchmark's own tests, which the agent did not see."""

    passed: int | None
    failed: int | None
    succeeded: bool

    def run(self, moment: Moment) -> TestSuiteRun:
        """Return it as a run of tests."""
        return TestSuiteRun(
            moment=moment,
            command="the benchmark's own tests",
            passed=self.passed,
            failed=self.failed,
            succeeded=self.succeeded,
            acceptance=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Subagent:
    """What a subagent did: lines of a conversation of its own, which belong to the run."""

    name: str
    """The file of its log, or the log's name with its own: `trajectory.json#reviewer`."""
    lines: Sequence[tuple[int, Line]]
    started_by: int | None = None
    """The place in the log of the run at which it was started; None if only the times of its lines tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """What a log holds."""

    kind: str
    """The format, for reports."""
    lines: Sequence[tuple[int, Line]]
    """Lines in the form of Claude Code's log, each with its place in the source: a line, or the number of a step."""
    known: frozenset[Subject]
    """Subjects that this log can know."""
    diff: str = ""
    """The patch that the run left, where the log holds it."""
    warnings: Sequence[str] = ()
    base_commit: str = ""
    """The commit at which the run began, where the log names it."""
    permissions_bypassed: bool = False
    records_ending: bool = True
    """False: the source has no log of the conversation, so how it ended is not known."""
    benchmark_tests: BenchmarkTests | None = None
    subagents: Sequence[Subagent] = ()


@dataclass(slots=True)
class TranscriptBuilder:
    """Collects the lines of a transcript."""

    session: str = "session"
    folder: str = ""
    """The folder in which the agent worked, where the log says it."""
    lines: list[tuple[int, Line]] = field(default_factory=list)
    place: int = 0
    """The place in the source that the next lines come from."""
    timestamp: object = None
    """The time of the next lines: ISO 8601, or milliseconds since 1970."""
    sidechain: bool = False
    """The next lines are those of a subagent, whose log is not its own."""
    last_command: str = ""
    _calls: int = 0
    _finishes: bool = False
    """The latest call hands in the result, as the tool `finish` does."""

    def at(self, place: int, timestamp: object = None) -> None:
        """Set the place, and the time where there is one, of the lines that follow."""
        self.place = place
        self.timestamp = timestamp

    def prompt(self, text: str) -> None:
        """Add what a person asked for."""
        self._add("user", {"content": text})

    def answer(self, text: str, *, model: str = "", usage: Mapping[str, int] | None = None) -> None:
        """Add an answer of the model, with the tokens that it took."""
        message: Line = {"content": [{"type": "text", "text": text}], "model": model}
        if usage:
            message["usage"] = dict(usage)
        self._add("assistant", message)

    def command(self, command: str, output: str, *, exit_code: int | None, id_: str = "") -> None:
        """Add a shell command with its output; without an exit code, its success is not known."""
        self.last_command = command.strip()
        self.call("Bash", {"command": command}, id_=id_)
        self.returned(output, failed=None if exit_code is None else exit_code != 0, id_=id_, exit_code=exit_code)

    def unanswered(self, commands: Iterable[str]) -> None:
        """Add commands whose result never came; how the run ended is still its last line."""
        with self._before_the_end():
            for command in commands:
                self.call("Bash", {"command": command})

    def still_running(self, command: str, id_: str, output: str) -> None:
        """Add a command that had not ended when the log did, with what it had printed."""
        with self._before_the_end():
            self.background_command(command, id_)
            if output.strip():
                self.background_output(id_, output)

    @contextmanager
    def _before_the_end(self) -> Iterator[None]:
        ending = [self.lines.pop()] if self.lines and _is_ending(self.lines[-1][1]) else []
        yield
        self.lines += ending

    def background_command(self, command: str, id_: str) -> None:
        """Add a shell command that goes on in the background, where its output is asked for by an id."""
        self.last_command = command.strip()
        self.call("Bash", {"command": command})
        self.returned(f"Command running in background with ID: {id_}")

    def background_output(self, id_: str, output: str) -> None:
        """Add what a command in the background has printed so far."""
        self.call("BashOutput", {"bash_id": id_})
        self.returned(f"<stdout>\n{output}</stdout>")

    def edit(
        self,
        path: str,
        *,
        failed: bool = False,
        output: str = "",
        given: Mapping[str, Any] | None = None,
        before: str | None = None,
        created: bool = False,
    ) -> None:
        """Add a change of a file; `given` has what was written, under the names that tools of Claude Code use.

        `before` is the whole file before it, where the log holds that.
        """
        self.call("Edit", {**(given or {}), "file_path": path})
        self.returned(output, failed=failed)
        known = {} if before is None else {"originalFile": before}
        known |= {"type": "create"} if created else {}
        if known:
            self.lines[-1][1]["toolUseResult"] = known

    def apply_patch(self, patch: str, *, failed: bool, output: str) -> None:
        """Add the changes of an `apply_patch` text, in each of its files."""
        for index, path in enumerate(patched_paths(patch)):
            given = {} if index else {"patch": patch}  # the whole patch once, for all of its files
            self.edit(path, failed=failed, output=output, given=given)

    def call(self, tool: str, arguments: Mapping[str, Any], *, id_: str = "") -> None:
        """Add a call of a tool."""
        self._calls += not id_
        self._finishes = FINISHES.fullmatch(tool) is not None
        block = {"type": "tool_use", "id": id_ or f"call-{self._calls}", "name": tool, "input": dict(arguments)}
        self._add("assistant", {"content": [block]})
        if self._finishes:
            self.ending("answered", next((words for key in _WORDS if (words := text(arguments.get(key)))), ""))

    def returned(
        self, output: str, *, failed: bool | None = False, id_: str = "", exit_code: int | None = None
    ) -> None:
        """Add the result of a call; without an id, of the latest. `failed` is None where the log does not say it."""
        block = {"type": "tool_result", "tool_use_id": id_ or f"call-{self._calls}", "content": output}
        code = {} if exit_code is None else {"exit_code": exit_code}
        self._add("user", {"content": [{**block, "is_error": failed, **code}]})
        if self._finishes:
            self.ending("answered")

    def read(self, path: str) -> None:
        """Add a file that was read."""
        self.call("Read", {"file_path": path})
        self.returned("")

    def fetch(self, address: str, content: str) -> None:
        """Add what came from the network."""
        self.call("WebFetch", {"url": address})
        self.returned(content)

    def ending(self, kind: EndingKind, words: str = "") -> None:
        """Add how the run ended, as the log states it."""
        self.lines.append((self.place, self._stamped(ending_line(kind, words))))

    def compaction(self) -> None:
        """Add a compaction of the model's context."""
        self.lines.append((self.place, self._stamped({"type": "system", "subtype": "compact_boundary"})))

    def take_back(self, prompts: int) -> None:
        """Remove the latest prompts, which the user took back."""
        index = len(self.lines)
        while prompts > 0 and index > 0:
            index -= 1
            if _is_prompt(self.lines[index][1]):
                del self.lines[index]
                prompts -= 1

    def interruption(self) -> None:
        """Add an interruption by the user."""
        self.prompt(_INTERRUPTED)

    def totals(
        self, *, cost_usd: float | None = None, usage: Mapping[str, int] | None = None, duration_ms: int | None = None
    ) -> None:
        """Add the totals that the log itself reports."""
        line: Line = {"type": "result", "total_cost_usd": cost_usd}
        if usage:
            line["usage"] = dict(usage)
        if duration_ms is not None:
            line["duration_ms"] = duration_ms
        self.lines.append((self.place, self._stamped(line)))

    def exit_status(self, status: str) -> None:
        """Add how the run ended by the agent's exit status; nothing where it has none."""
        if status:
            kind = ending_of_status(status)
            self.ending(kind, "" if kind == "answered" else status)

    @property
    def has_tokens(self) -> bool:
        """True if some answer has its tokens."""
        return any("usage" in line.get("message", {}) for _, line in self.lines)

    @property
    def has_times(self) -> bool:
        """True if some line has a time."""
        return any("timestamp" in line for _, line in self.lines)

    def _add(self, type_: str, message: Line) -> None:
        self.lines.append((self.place, self._stamped({"type": type_, "message": message})))

    def _stamped(self, line: Line) -> Line:
        stamp = {} if self.timestamp is None else {"timestamp": self.timestamp}
        folder = {"cwd": self.folder} if self.folder else {}
        side = {"isSidechain": True} if self.sidechain else {}
        return {**line, "sessionId": self.session, **folder, **stamp, **side}


_INTERRUPTED = "[Request interrupted by user]"
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.M)
FINISHES = re.compile(r"finish|submit|done|(?:mark_)?task_complete|attempt_completion|complete_task", re.I)
"""Tools that hand in the result."""
_WORDS = ("message", "result", "summary", "text")
_LIMIT = re.compile(r"cost|limit|context|max(?:imum)?|steps|iteration|budget|exceeded", re.I)
_TIME = re.compile(r"(?<!run)time", re.I)
_STOPPED = re.compile(r"interrupt|abort|cancel|user", re.I)


def _is_prompt(line: Line) -> bool:
    """Return whether a line is what a person asked for, rather than the result of a call or an interruption."""
    content = line["message"]["content"] if line.get("type") == "user" else None
    return isinstance(content, str) and content != _INTERRUPTED


def _is_ending(line: Line) -> bool:
    """Return whether a line is how the run ended, or the user's interruption of it."""
    return (line.get("type") == "result" and "subtype" in line) or mapping(line.get("message")).get(
        "content"
    ) == _INTERRUPTED


def patched_paths(patch: str) -> list[str]:
    """Return the files that an `apply_patch` text adds, changes or deletes."""
    return [path.strip() for path in _PATCHED.findall(patch)]


def section_of(patch: str, path: str) -> str:
    """Return the part of an `apply_patch` text that is about one file."""
    starts = [match.start() for match in _PATCHED.finditer(patch)]
    parts = [patch[start:end] for start, end in zip(starts, [*starts[1:], len(patch)], strict=True)]
    return next((part for part in parts if patched_paths(part) == [path]), "")


def ending_line(kind: EndingKind, words: str) -> Line:
    """Return the line about the end of a run, in the form of Claude Code's."""
    return {"type": "result", "subtype": SUBTYPES[kind], "result": words}


def ending_of_status(status: str) -> EndingKind:
    """Return the ending that an agent's exit status names: `submitted`, `exit_cost`, `LimitsExceeded`."""
    if re.fullmatch(r"(?:submitted|finished|completed?|success)", status, re.I):
        return "answered"
    if _TIME.search(status):
        return "timed_out"
    if _LIMIT.search(status):
        return "turn_limit"
    return "interrupted" if _STOPPED.search(status) else "error"


_PATCH_LINE = re.compile(
    r"$|[ +\-@\\]|diff --git |index |(?:new|deleted) file |(?:old|new) mode |similarity |rename |copy |Binary "
)


def diff_in(output: str) -> str:
    """Return the git diff in a command's output; empty if there is none."""
    lines = output.replace("\r\n", "\n").split("\n")
    start = next((index for index, line in enumerate(lines) if line.startswith("diff --git ")), None)
    if start is None:
        return ""
    end = next((index for index in range(start, len(lines)) if not _PATCH_LINE.match(lines[index])), len(lines))
    return "\n".join(lines[start:end]).rstrip("\n") + "\n"


_TASK = re.compile(
    r"<(?P<tag>pr_description|issue_description|user_query|task)>\s*(?:Consider the following PR description:\s*)?"
    r"(?P<tagged>.*?)\s*</(?P=tag)>"
    r"|^ISSUE:\s*\n(?P<issue>.*?)\n\s*INSTRUCTIONS:"
    r"|Please solve this issue: (?P<solve>.*?)\n\nYou can execute bash commands",
    re.S | re.M,
)


def task_in(prompt: str) -> str:
    """Return the task that a prompt puts between its instructions; the prompt itself where it marks none."""
    match = _TASK.search(prompt)
    return next(part for part in match.group("tagged", "issue", "solve") if part is not None) if match else prompt


def text_of(content: object) -> str:
    """Return the text of a message whose content is a string or a list of blocks with texts."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    blocks: Iterable[object] = content if isinstance(content, list) else ()
    texts = [block.get("text") if isinstance(block, Mapping) else block for block in blocks]
    return "\n".join(text for text in texts if isinstance(text, str))


def mappings(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in a list; nothing where it is no list."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def mapping(value: object) -> Mapping[str, Any]:
    """Return the object; an empty one where it is none."""
    return value if isinstance(value, Mapping) else {}


def text(value: object) -> str:
    """Return the string; an empty one where it is none."""
    return value if isinstance(value, str) else ""
