"""Aider: the history of its chats (`.aider.chat.history.md`). The last chat in which something was asked is the run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nerv.readers.agents.aider_edits import EditBlock, blocks_for, blocks_in, patch_in
from nerv.readers.agents.transcript import Transcript, TranscriptBuilder, patched_paths, section_of, subjects

KIND = "aider"

_STARTED = re.compile(r"^# aider chat started at (.+)$")
_MODEL = re.compile(r"^> (?:Main model|Model): (\S+)")
_NUMBER = r"\d[\d,]{0,20}(?:\.\d{1,20})?"
_TOKENS = re.compile(
    rf"^> Tokens: ({_NUMBER})(k|M)? sent(?:, {_NUMBER}(?:k|M)? cache (?:write|hit))*, ({_NUMBER})(k|M)? received\."
    rf"(?: Cost: \$({_NUMBER}) message)?"
)
_EDITED = re.compile(r"^> Applied edit to (.+)$")
_COMMITTED = re.compile(r"^> Commit ([0-9a-f]{7,40}) (.+)$")
_RUNNING = re.compile(r"^> Running (.+)$")
_FAILED = re.compile(r"^> (?:The LLM did not conform|# \d+ SEARCH/REPLACE block)")
_COMMAND = re.compile(r"/(?:run|test|!)\s+(.+)")
_TYPED = re.compile(r"#### .*  $")
_MODE = re.compile(r"/(?:code|architect|ask)\s+(?=\S)")
"""A command before a request, which says how it is to be answered."""
_TIMES = {"": 1, "k": 1_000, "M": 1_000_000}


def recognises(lines: Iterable[str]) -> bool:
    """Return whether the first lines are those of a chat history."""
    return any(_STARTED.match(line) for line in lines)


def read(lines: Sequence[str]) -> Transcript:
    """Read the last chat in which something was asked."""
    starts = [index for index, line in enumerate(lines) if _STARTED.match(line)]
    chats = list(zip(starts, [*starts[1:], len(lines)], strict=True))
    typed_end = any(_TYPED.match(line) for line in lines)
    asking = [chat for chat in chats if any(_is_request(line, typed_end) for line in lines[slice(*chat)])]
    first, last = (asking or chats or [(0, len(lines))])[-1]
    warnings = [f"{len(chats)} chats in it: the last one that asks for something is read, from line {first + 1}"]
    builder = TranscriptBuilder(session=f"chat-{first + 1}")
    cost, has_cost = 0.0, False
    model = ""
    prompt: list[str] = []
    answer: list[str] = []
    answered = False
    edits = _Edits()
    for number in range(first, last):
        line = lines[number].rstrip()
        if _is_typed(lines[number], typed_end):
            if not prompt:
                builder.at(number + 1)
            prompt.append(line[5:])
            continue
        if prompt:
            answered = _add_prompt(builder, "\n".join(prompt), answered=answered)
            prompt, answer = [], []
        builder.at(number + 1)
        if not line.startswith("> "):
            answer.append(line)
        if match := _MODEL.match(line):
            model = match[1]
        elif match := _TOKENS.match(line):
            sent, received = _count(match[1], match[2]), _count(match[3], match[4])
            usage = {"input_tokens": sent, "output_tokens": received}
            builder.answer("\n".join(answer).strip(), model=model, usage=usage)
            edits, answer, answered = _Edits.of(answer), [], True
            has_cost = has_cost or match[5] is not None
            cost += float((match[5] or "0").replace(",", ""))
        elif match := _EDITED.match(line):
            if any(line.strip() for line in answer):  # the tokens are not always told
                builder.answer("\n".join(answer).strip(), model=model)
                edits, answer, answered = _Edits.of(answer), [], True
            edits.add(builder, match[1].strip())
        elif match := _COMMITTED.match(line):
            builder.command("git commit", f"[main {match[1]}] {match[2]}", exit_code=0)
        elif match := _RUNNING.match(line):
            builder.command(match[1].strip(), _output(lines, number + 1, last), exit_code=None)
        elif _FAILED.match(line):
            builder.call("Edit", {})
            builder.returned(line[2:], failed=True)
        elif line.startswith("> ^C KeyboardInterrupt"):
            builder.interruption()
            answered = False
    if prompt:
        answered = _add_prompt(builder, "\n".join(prompt), answered=answered)
    if answered:  # edits and commits follow an answer: they are not the middle of the work
        builder.ending("answered")
    if has_cost:
        builder.totals(cost_usd=cost)
    known = subjects(tokens=builder.has_tokens, cost=has_cost)
    return Transcript(kind=KIND, lines=builder.lines, known=known, warnings=warnings if len(chats) > 1 else [])


def _is_typed(line: str, typed_end: bool) -> bool:
    """Return whether a line was typed; a heading in an answer of the model has no two spaces at its end."""
    return _TYPED.match(line) is not None if typed_end else f"{line} ".startswith("#### ")


def _is_request(line: str, typed_end: bool) -> bool:
    return _is_typed(line, typed_end) and (not line.startswith("#### /") or _MODE.match(line, 5) is not None)


def _add_prompt(builder: TranscriptBuilder, typed: str, *, answered: bool) -> bool:
    """Add what was typed; return whether all requests are answered: a command of aider's own asks for no answer."""
    typed = _MODE.sub("", typed, count=1) if _MODE.match(typed) else typed
    if match := _COMMAND.match(typed):
        builder.command(match[1], "", exit_code=None)
    elif not typed.startswith("/"):
        builder.prompt(typed)
        return False
    return answered


@dataclass(slots=True)
class _Edits:
    """What an answer changes, of which aider then tells the files."""

    blocks: Sequence[EditBlock] = ()
    patch: str = ""

    @classmethod
    def of(cls, answer: Sequence[str]) -> _Edits:
        patch = patch_in(answer)
        return cls(blocks=[] if patch else blocks_in(answer), patch=patch)

    def add(self, builder: TranscriptBuilder, path: str) -> None:
        """Add the edits of a file that aider applied; without a block in the answer, only that it was edited."""
        if path in patched_paths(self.patch):
            builder.edit(path, given={"patch": section_of(self.patch, path)})
            return
        own = blocks_for(path, self.blocks)
        for block in own:
            if block.before or block.appended:
                builder.edit(path, given={"old_string": block.before, "new_string": block.after})
            else:
                builder.call("Write", {"file_path": path, "content": block.after})
                builder.returned("" if block.whole else f"File created successfully at: {path}")
        if not own:
            builder.edit(path)


def _output(lines: Sequence[str], start: int, last: int) -> str:
    """Return what was printed, up to the next line of aider's own."""
    end = next((n for n in range(start, last) if lines[n].startswith(("> ", "#### ", "# aider"))), last)
    return "\n".join(lines[start:end])


def _count(digits: str, times: str | None) -> int:
    return round(float(digits.replace(",", "")) * _TIMES[times or ""])
