"""The journal: append-only JSON lines, the only durable truth while a run goes on.

Four kinds of line: `session` (a run began or went on), `completion` (a model has answered), `sample` (an attempt is
finished), `batch` (requests that are handed in together). A line counts once its newline is written; a torn last
line is what a kill left behind, and is cut off when the run goes on. Scores are not in it: they are computed from
the verdicts, each time.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import msgspec

from forgetest.engine.tool_versions import ToolVersions
from forgetest.errors import UserError
from forgetest.files import locks
from forgetest.sample import Attempt, Completion, Outcome, Recheck, Usage
from forgetest.verdict import Verdict

FILENAME = "journal.jsonl"
FORMAT_VERSION = 1


class Session(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="session"):
    """A run began here, or went on."""

    format_version: int = FORMAT_VERSION
    run_id: str
    started_at: str
    forgetest: str


class Answered(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="completion"):
    """A model has answered; it is not asked again."""

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
    """Since its session began."""
    recheck: Recheck | None = None


class Batch(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="batch"):
    """Requests that are handed in together; the last line of a tag holds."""

    tag: str
    """Ours, noted before anything is handed in."""
    model: str
    """As the command line names it."""
    attempts: tuple[Attempt, ...]
    handed_in_at: str
    batch_id: str | None = None
    """The service's; None until it has said it."""
    ended: bool = False


class _AnsweredMark(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="completion"):
    """What is remembered of such a line; the rest is read when it is asked for."""

    attempt: Attempt


class _ProvenanceMark(msgspec.Struct, frozen=True):
    toolchain: str = ""
    sandbox: str = ""


class _VerdictMark(msgspec.Struct, frozen=True):
    provenance: _ProvenanceMark


class _FinishedMark(msgspec.Struct, kw_only=True, frozen=True, tag_field="kind", tag="sample"):
    """What is remembered of such a line."""

    attempt: Attempt
    outcome: Outcome
    elapsed_ms: float
    verdict: _VerdictMark | None = None
    recheck: Recheck | None = None


_Line = Session | Answered | Finished | Batch
_Kind = TypeVar("_Kind", Answered, Finished)
_decoder = msgspec.json.Decoder(Session | _AnsweredMark | _FinishedMark | Batch)
_answered = msgspec.json.Decoder(Answered)
_finished = msgspec.json.Decoder(Finished)


@dataclass(slots=True)
class _Places:
    """Where the lines of an attempt begin; -1 where there is none."""

    answered: int = -1
    finished: int = -1
    judged: bool = False
    rechecked: int = 0


class Journal:
    """A journal open for reading and, unless it is only looked at, for appending."""

    def __init__(self, path: Path, *, append: bool = True, tools: ToolVersions | None = None) -> None:
        """With `tools`, what was judged by others counts as not judged: a report is of one compiler and one sandbox."""
        self.path = path
        self._tools = tools
        self.judged_by_others: set[Attempt] = set()
        self._fd = _open(path, append)
        self._close_file = weakref.finalize(self, os.close, self._fd)
        self._is_writable = append
        self._lock = threading.Lock()
        self._places: dict[Attempt, _Places] = {}
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
        """Note that a run begins or goes on."""
        self._append(session)
        self.sessions.append(session)
        self._durations.append(0.0)

    def answered(self, attempt: Attempt, completion: Completion) -> None:
        """Note a model's answer."""
        self.all_answered([(attempt, completion)])

    def all_answered(self, answers: Sequence[tuple[Attempt, Completion]]) -> list[Completion]:
        """Note several answers at once; returns them as they are read back."""
        lines = [Answered(attempt=attempt, completion=_writable(completion)) for attempt, completion in answers]
        for line, (place, _) in zip(lines, self._append(*lines), strict=True):
            self._of(line.attempt).answered = place
        return [line.completion for line in lines]

    def finished(self, *lines: Finished) -> list[int]:
        """Note that attempts are finished; returns how long their lines are."""
        written = self._append(*lines)
        for line, (place, _) in zip(lines, written, strict=True):
            self._note(line, place)
        return [size for _, size in written]

    def handed_in(self, batch: Batch) -> None:
        """Note what becomes of a batch."""
        self._append(batch)
        self._batches[batch.tag] = batch

    def batches(self, model: str) -> list[Batch]:
        """Those of a model that are not ended."""
        known = tuple(self._batches.values())  # other models' threads may note theirs meanwhile
        return [batch for batch in known if batch.model == model and not batch.ended]

    def has_answer(self, attempt: Attempt) -> bool:
        """The model need not be asked."""
        return attempt in self._places and self._places[attempt].answered >= 0

    def is_judged(self, attempt: Attempt) -> bool:
        """Nothing is left to do; what was unjudged is tried again."""
        return attempt in self._places and self._places[attempt].judged

    def is_done(self, attempt: Attempt, recheck: int) -> bool:
        """Nothing is left to do where every sample is to be judged so many times more."""
        return self.is_judged(attempt) and self._places[attempt].rechecked >= recheck

    def is_finished(self, attempt: Attempt) -> bool:
        """There is something to report."""
        return attempt in self._places and self._places[attempt].finished >= 0

    def completion(self, attempt: Attempt) -> Completion:
        """Read an answer back."""
        return self._read(_answered, self._places[attempt].answered).completion

    def read(self, attempt: Attempt) -> Finished:
        """Read a finished attempt back."""
        return self._read(_finished, self._places[attempt].finished)

    def attempts(self) -> list[Attempt]:
        """Every attempt that it holds something of."""
        return sorted(self._places)

    def spent_usd(self) -> float:
        """What the run paid for its answers, as far as that is known."""
        answers = (self.completion(attempt) for attempt in self.attempts() if self.has_answer(attempt))
        return math.fsum(answer.usage.cost_usd or 0.0 for answer in answers if not answer.from_cache)

    @property
    def duration_ms(self) -> float:
        """How long the run took, over all its sessions."""
        return sum(self._durations)

    def _append(self, *lines: _Line) -> list[tuple[int, int]]:
        """Where each line begins, and its length."""
        encoded = [msgspec.json.encode(line) + b"\n" for line in lines]
        with self._lock:
            if not self._is_writable:
                raise ValueError(f"{self.path} is closed")
            place = self._size
            view = memoryview(b"".join(encoded))
            try:
                while view:
                    view = view[os.write(self._fd, view) :]
            except OSError as error:
                os.ftruncate(self._fd, place)  # half a line must not stand before the next one
                raise UserError(
                    f"{self.path}: {error.strerror}; make room, and the same command goes on where it was"
                ) from error
            self._size += sum(map(len, encoded))
        begins = itertools.accumulate(map(len, encoded), initial=place)
        return [(begin, len(each)) for begin, each in zip(begins, encoded, strict=False)]

    def _index(self, append: bool) -> int:
        place = 0
        for number, raw in enumerate(_lines(self._fd), start=1):
            try:
                line = _decoder.decode(raw)
                if not self.sessions and not isinstance(line, Session):
                    raise ValueError("no session has begun")
            except (ValueError, RecursionError) as error:
                raise UserError(
                    f"{self.path}:{number}: not a line of a journal ({error}); --fresh starts over"
                ) from None
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
                case _AnsweredMark():
                    self._of(line.attempt).answered = place
                case _FinishedMark():
                    self._note(line, place)
            place += len(raw)
        if append and place != os.fstat(self._fd).st_size:
            os.ftruncate(self._fd, place)  # a torn line: its sample was in flight
        return place

    def _note(self, line: Finished | _FinishedMark, place: int) -> None:
        places = self._of(line.attempt)
        by_others = line.verdict is not None and not self._is_by_our_tools(line.verdict)
        (self.judged_by_others.add if by_others else self.judged_by_others.discard)(line.attempt)
        places.finished, places.judged = place, line.outcome == "judged" and not by_others
        places.rechecked = line.recheck.times if line.recheck else 0
        self._durations[-1] = max(self._durations[-1], line.elapsed_ms)

    def _is_by_our_tools(self, verdict: Verdict | _VerdictMark) -> bool:
        where = verdict.provenance
        return self._tools is None or self._tools.produced(toolchain=where.toolchain, sandbox=where.sandbox)

    def _of(self, attempt: Attempt) -> _Places:
        with self._lock:
            return self._places.setdefault(attempt, _Places())

    def _read(self, decoder: msgspec.json.Decoder[_Kind], place: int) -> _Kind:
        """A line as a whole; of what is in it, only marks were looked at before."""
        try:
            return decoder.decode(self._line(place))
        except (ValueError, RecursionError) as error:
            raise UserError(f"{self.path}: damaged at byte {place} ({error}); --fresh starts over") from None

    def _line(self, place: int) -> bytes:
        data, size = b"", 8192
        while b"\n" not in data:
            data = os.pread(self._fd, size, place)
            size *= 4
        return data[: data.index(b"\n")]


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Make sure that nobody is writing this journal, whatever is in it."""
    fd = _open(path, append=True)
    try:
        yield
    finally:
        os.close(fd)


def _open(path: Path, append: bool) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND if append else os.O_RDONLY
    try:
        fd = os.open(path, flags | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    if append and not locks.try_lock(fd):
        os.close(fd)
        raise UserError(f"{path.parent}: another forgetest is working there; wait, or use another --output")
    return fd


def _writable(completion: Completion) -> Completion:
    """Half a surrogate pair, which JSON from elsewhere may hold, cannot be written and is no code."""
    try:
        completion.text.encode()
    except UnicodeEncodeError:
        return replace(completion, text=completion.text.encode(errors="replace").decode())
    return completion


def _lines(fd: int) -> Iterator[bytes]:
    """Whole lines from the start, each with its newline."""
    with os.fdopen(os.dup(fd), "rb") as file:
        file.seek(0)
        for line in file:
            if line.endswith(b"\n"):
                yield line
