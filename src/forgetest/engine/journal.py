"""The journal: append-only JSON lines, the only durable record while a run goes on.

Four kinds of line: `session` (a run began or went on), `completion` (a model has answered), `sample` (an attempt is
finished), `batch` (requests that are submitted together). A line counts once its newline is written; an incomplete
last line is what a killed process left behind, and is cut off when the run goes on. Scores are not in the journal: they
are computed from the verdicts each time.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import math
import os
import stat
import threading
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from forgetest.engine.tool_versions import ToolVersions
from forgetest.errors import UserError
from forgetest.files import locks
from forgetest.sample import Attempt, Completion, Outcome, Recheck, Usage
from forgetest.verdict import Verdict

FILENAME = "journal.jsonl"
FORMAT_VERSION = 1


class Session(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="session"):
    """A run began, or went on."""

    format_version: int = FORMAT_VERSION
    run_id: str
    started_at: str
    forgetest: str


class Answered(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="completion"):
    """A model has answered, and is not asked again."""

    attempt: Attempt
    completion: Completion


class Finished(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="sample"):
    """An attempt is finished."""

    attempt: Attempt
    outcome: Outcome
    reason: str | None
    code: str | None
    verdict: Verdict | None
    usage: Usage
    latency_ms: float | None
    total_ms: float
    elapsed_ms: float
    """Time since the session began."""
    recheck: Recheck | None = None


class Batch(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="batch"):
    """Requests that are submitted together; the last line of a tag counts."""

    tag: str
    """Our own name for the batch, recorded before anything is submitted."""
    model: str
    """The model, as the command line names it."""
    attempts: tuple[Attempt, ...]
    handed_in_at: str
    batch_id: str | None = None
    """The service's name for the batch; None until it has answered."""
    ended: bool = False


class _AnsweredIndex(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="completion"):
    """The part of a `completion` line that is indexed; the rest is read when it is needed."""

    attempt: Attempt


class _ProvenanceIndex(msgspec.Struct, frozen=True):
    toolchain: str = ""
    sandbox: str = ""


class _VerdictIndex(msgspec.Struct, frozen=True):
    provenance: _ProvenanceIndex


class _FinishedIndex(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="sample"):
    """The part of a `sample` line that is indexed."""

    attempt: Attempt
    outcome: Outcome
    elapsed_ms: float
    verdict: _VerdictIndex | None = None
    recheck: Recheck | None = None


_Line = Session | Answered | Finished | Batch
_IndexedLine = Session | _AnsweredIndex | _FinishedIndex | Batch
_Kind = TypeVar("_Kind", Answered, Finished)
_decoder = msgspec.json.Decoder(Session | _AnsweredIndex | _FinishedIndex | Batch)
_answered = msgspec.json.Decoder(Answered)
_finished = msgspec.json.Decoder(Finished)


@dataclass(slots=True)
class _JournalLine:
    """Index entry of an attempt: the offsets of its last lines, and its state."""

    answered_at: int | None = None
    finished_at: int | None = None
    judged: bool = False
    rechecked: int = 0


_NO_ENTRY = _JournalLine()


class _Written(NamedTuple):
    """Place of a line in the file."""

    offset: int
    length: int


class Journal:
    """A journal that is open for reading, and with `append` for writing. Thread-safe."""

    def __init__(self, path: Path, *, append: bool = True, tools: ToolVersions | None = None) -> None:
        """With `tools`, verdicts of other tools count as not judged: a report is about one compiler and one sandbox."""
        self.path = path
        self._tools = tools
        self.judged_by_others: set[Attempt] = set()
        self._fd = _open_journal(path, append)
        self._close_file = weakref.finalize(self, os.close, self._fd)
        self._is_writable = append
        self._lock = threading.Lock()
        self._entries: dict[Attempt, _JournalLine] = {}
        self.sessions: list[Session] = []
        self._durations: list[float] = []
        self._batches: dict[str, Batch] = {}
        try:
            self._size = self._index(append)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file. An answer that arrives later, in a run that was given up, is not written anywhere."""
        with self._lock:
            self._close_file()
            self._fd, self._is_writable = -1, False

    def end_writing(self) -> None:
        """Append nothing more, and let other processes append.

        The journal can still be read, for as long as anything refers to it: a report reads its samples when it is
        asked for them.
        """
        with self._lock:
            if self._is_writable:
                self._is_writable = False
                locks.release(self._fd)

    def begin(self, session: Session) -> None:
        """Record that a run begins or goes on."""
        self._append(session)
        self.sessions.append(session)
        self._durations.append(0.0)

    def answered(self, attempt: Attempt, completion: Completion) -> None:
        """Record a model's answer."""
        self.all_answered([(attempt, completion)])

    def all_answered(self, answers: Sequence[tuple[Attempt, Completion]]) -> list[Completion]:
        """Record several answers at once; return them as they will be read back."""
        lines = [Answered(attempt=attempt, completion=_writable(completion)) for attempt, completion in answers]
        for line, written in zip(lines, self._append(*lines), strict=True):
            self._entry(line.attempt).answered_at = written.offset
        return [line.completion for line in lines]

    def finished(self, *lines: Finished) -> list[int]:
        """Record that attempts are finished; return the lengths of their lines."""
        written = self._append(*lines)
        for line, place in zip(lines, written, strict=True):
            self._index_finished(line, place.offset)
        return [place.length for place in written]

    def handed_in(self, batch: Batch) -> None:
        """Record the state of a batch."""
        self._append(batch)
        self._batches[batch.tag] = batch

    def batches(self, model: str) -> list[Batch]:
        """Return the batches of a model that have not ended."""
        known = tuple(self._batches.values())  # other models' threads may add theirs meanwhile
        return [batch for batch in known if batch.model == model and not batch.ended]

    def has_answer(self, attempt: Attempt) -> bool:
        """Return whether the model has answered."""
        return self._known(attempt).answered_at is not None

    def is_judged(self, attempt: Attempt) -> bool:
        """Return whether there is a verdict, or no code to judge; an unjudged attempt is tried again."""
        return self._known(attempt).judged

    def is_done(self, attempt: Attempt, recheck: int) -> bool:
        """Return whether the attempt is judged, and has been rechecked as often as wanted."""
        entry = self._known(attempt)
        return entry.judged and entry.rechecked >= recheck

    def is_finished(self, attempt: Attempt) -> bool:
        """Return whether there is a result to report, judged or not."""
        return self._known(attempt).finished_at is not None

    def completion(self, attempt: Attempt) -> Completion:
        """Read an answer back."""
        return self._read(_answered, self._known(attempt).answered_at).completion

    def read(self, attempt: Attempt) -> Finished:
        """Read a finished attempt back."""
        return self._read(_finished, self._known(attempt).finished_at)

    def find(self, attempt: Attempt) -> Finished | None:
        """Read a finished attempt back; None for one that has no result."""
        offset = self._known(attempt).finished_at
        return None if offset is None else self._read(_finished, offset)

    def attempts(self) -> list[Attempt]:
        """Return every attempt that the journal has a line about."""
        return sorted(self._entries)

    def spent_usd(self) -> float:
        """Return what the run paid for its answers, as far as that is known."""
        answers = (self.completion(attempt) for attempt in self.attempts() if self.has_answer(attempt))
        return math.fsum(answer.usage.cost_usd or 0.0 for answer in answers if not answer.from_cache)

    @property
    def duration_ms(self) -> float:
        """The time that the run took, over all its sessions."""
        return sum(self._durations)

    def _append(self, *lines: _Line) -> list[_Written]:
        """Write lines, and return their places."""
        encoded = [msgspec.json.encode(line) + b"\n" for line in lines]
        with self._lock:
            if not self._is_writable:
                raise ValueError(f"{self.path} is closed")
            start = self._size
            self._write(b"".join(encoded))
            self._size += sum(map(len, encoded))
        offsets = itertools.accumulate(map(len, encoded), initial=start)
        return [_Written(offset, len(line)) for offset, line in zip(offsets, encoded, strict=False)]

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._fd, left) :]
        except OSError as error:
            os.ftruncate(self._fd, self._size)  # the next line must not follow half a line
            raise UserError(
                f"{self.path}: {error.strerror}; free some space, and the same command resumes the run"
            ) from error

    def _index(self, append: bool) -> int:
        """Read all lines; return where the last complete one ends."""
        offset = 0
        for number, raw in enumerate(_complete_lines(self._fd), start=1):
            self._index_line(self._decode(raw, number), offset, number)
            offset += len(raw)
        if append and offset != os.fstat(self._fd).st_size:
            os.ftruncate(self._fd, offset)  # an incomplete line: its sample was in flight
        return offset

    def _decode(self, raw: bytes, number: int) -> _IndexedLine:
        try:
            line: _IndexedLine = _decoder.decode(raw)
            if not self.sessions and not isinstance(line, Session):
                raise ValueError("no session has begun")
        except (ValueError, RecursionError) as error:
            raise UserError(f"{self.path}:{number}: not a line of a journal ({error}); --fresh starts over") from None
        return line

    def _index_line(self, line: _IndexedLine, offset: int, number: int) -> None:
        match line:
            case Session():
                if line.format_version != FORMAT_VERSION:
                    raise UserError(
                        f"{self.path}:{number}: format_version {line.format_version}, this forgetest writes "
                        f"{FORMAT_VERSION}; --fresh starts over"
                    )
                self.sessions.append(line)
                self._durations.append(0.0)
            case Batch():
                self._batches[line.tag] = line
            case _AnsweredIndex():
                self._entry(line.attempt).answered_at = offset
            case _FinishedIndex():
                self._index_finished(line, offset)

    def _index_finished(self, line: Finished | _FinishedIndex, offset: int) -> None:
        entry = self._entry(line.attempt)
        by_others = line.verdict is not None and not self._is_by_our_tools(line.verdict)
        if by_others:
            self.judged_by_others.add(line.attempt)
        else:
            self.judged_by_others.discard(line.attempt)
        entry.finished_at = offset
        entry.judged = line.outcome == "judged" and not by_others
        entry.rechecked = line.recheck.times if line.recheck else 0
        self._durations[-1] = max(self._durations[-1], line.elapsed_ms)

    def _is_by_our_tools(self, verdict: Verdict | _VerdictIndex) -> bool:
        where = verdict.provenance
        return self._tools is None or self._tools.produced(toolchain=where.toolchain, sandbox=where.sandbox)

    def _entry(self, attempt: Attempt) -> _JournalLine:
        """Return the entry of an attempt, for changing it."""
        with self._lock:
            return self._entries.setdefault(attempt, _JournalLine())

    def _known(self, attempt: Attempt) -> _JournalLine:
        """Return the entry of an attempt; an empty one where the journal has no line about it."""
        return self._entries.get(attempt, _NO_ENTRY)

    def _read(self, decoder: msgspec.json.Decoder[_Kind], offset: int | None) -> _Kind:
        """Read a whole line; when the file was indexed, only parts of it were looked at."""
        if offset is None:
            raise KeyError("the journal has no such line")
        try:
            return decoder.decode(self._line(offset))
        except (ValueError, RecursionError) as error:
            raise UserError(f"{self.path}: damaged at byte {offset} ({error}); --fresh starts over") from None

    def _line(self, offset: int) -> bytes:
        data, size = b"", 8192
        while b"\n" not in data:
            data = os.pread(self._fd, size, offset)
            size *= 4
        return data[: data.index(b"\n")]


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a journal, so that no process writes it."""
    fd = _open_journal(path, append=True)
    try:
        yield
    finally:
        os.close(fd)


def _open_journal(path: Path, append: bool) -> int:
    # a link in its place would have us write elsewhere; opening a pipe would wait forever
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW if append else os.O_RDONLY
    try:
        fd = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    except OSError as error:
        is_link = append and error.errno == errno.ELOOP
        reason = "a symbolic link; nothing is written through it: remove it" if is_link else error.strerror
        raise UserError(f"{path}: {reason}") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise UserError(f"{path}: in the way, because it is not a file; remove it")
    if append and not locks.try_lock(fd):
        os.close(fd)
        raise UserError(f"{path.parent}: another forgetest is working there; wait, or use another --output")
    return fd


def _writable(completion: Completion) -> Completion:
    """Replace halves of surrogate pairs, which JSON from elsewhere may hold and UTF-8 cannot."""
    try:
        completion.text.encode()
    except UnicodeEncodeError:
        return replace(completion, text=completion.text.encode(errors="replace").decode())
    return completion


def _complete_lines(fd: int) -> Iterator[bytes]:
    """Yield all lines that end with a newline, from the start."""
    with os.fdopen(os.dup(fd), "rb") as file:
        file.seek(0)
        for line in file:
            if line.endswith(b"\n"):
                yield line
