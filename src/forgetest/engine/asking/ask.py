"""Asks the models: a few threads for each, every answer journalled before it is judged."""

from __future__ import annotations

import contextlib
import itertools
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from forgetest.engine.asking.batches import Asking, ByBatch
from forgetest.engine.asking.circuit_breaker import Standing
from forgetest.engine.journal import Journal
from forgetest.errors import ProviderError
from forgetest.sample import Attempt, Completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the answers of one model come from."""

    ask: Callable[[Attempt], Completion]
    concurrency: int
    together: int = 1
    """How many attempts at a case are asked for by one request."""
    ask_together: Callable[[Sequence[Attempt]], Sequence[Completion]] | None = None
    """Answers to the first of them, at least to one; the others are asked for again."""
    by_batch: ByBatch | None = None
    at_hand: bool = False
    """Its answers are on this machine, and are read when they are judged: nobody is asked, nobody waits."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An attempt that can be judged now; or, with a reason, one for which there is no answer."""

    attempt: Attempt
    no_answer: str | None = None


class _Failure:
    """Something that is not the model's fault nor a provider's: it ends the run."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Incoming:
    """Attempts as they become ready. One thread at a time takes them."""

    def __init__(self, ready: queue.SimpleQueue[Ready | _Failure | None], open_ends: int) -> None:
        self._ready = ready
        self._open_ends = open_ends

    def __iter__(self) -> Iterator[Ready]:
        return self

    def __next__(self) -> Ready:
        while self._open_ends > 0:
            if (ready := self._taken(block=True)) is not None:
                return ready
        raise StopIteration

    def at_once(self) -> Ready | None:
        """One that is there already, if there is."""
        try:
            while self._open_ends > 0:
                if (ready := self._taken(block=False)) is not None:
                    return ready
        except queue.Empty:
            pass
        return None

    def _taken(self, *, block: bool) -> Ready | None:
        item = self._ready.get(block=block)
        if isinstance(item, _Failure):
            raise item.error
        self._open_ends -= item is None
        return item


@contextlib.contextmanager
def answers(attempts: Sequence[Attempt], sources: Mapping[str, Source], journal: Journal) -> Iterator[Incoming]:
    """Each attempt as soon as its answer is in the journal or at hand; those that were there already come first.

    The queue holds names of attempts, not answers, so slow judging never blocks a request and takes no memory.
    """
    ready: queue.SimpleQueue[Ready | _Failure | None] = queue.SimpleQueue()
    unasked: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if journal.has_answer(attempt) or sources[attempt.model_name].at_hand:
            ready.put(Ready(attempt))
        else:
            unasked.setdefault(attempt.model_name, []).append(attempt)
    by_batch = {model: _of_batches(model, of_model, sources[model], journal) for model, of_model in unasked.items()}
    missing = {
        model: _grouped([attempt for attempt in of_model if attempt not in by_batch[model]], sources[model])
        for model, of_model in unasked.items()
    }
    ready.put(None)
    open_ends, over = 1, threading.Event()
    for model, waiting in missing.items():
        source, standing = sources[model], Standing()
        for _ in range(min(source.concurrency, waiting.qsize())):
            # daemons: a request that hangs must not keep an interrupted run from ending
            threading.Thread(
                target=_ask_all, args=(waiting, source, standing, over, journal, ready), daemon=True
            ).start()
            open_ends += 1
    for model, handed_in in by_batch.items():
        if handed_in:
            threading.Thread(
                target=_ask_by_batch, args=(sorted(handed_in), sources[model], over, journal, ready), daemon=True
            ).start()
            open_ends += 1
    try:
        yield Incoming(ready, open_ends)
    finally:
        over.set()
        for _ in range(open_ends):
            ready.put(None)  # whoever still waits for an answer, in an interrupted run, waits no longer


def completions(attempts: Sequence[Attempt], sources: Mapping[str, Source], journal: Journal) -> list[Completion]:
    """The answers to attempts that are ready; from here on, they are in the journal."""
    read = [
        journal.completion(attempt) if journal.has_answer(attempt) else sources[attempt.model_name].ask(attempt)
        for attempt in attempts
    ]
    new = {place: each for place, each in enumerate(attempts) if not journal.has_answer(each)}
    for place, written in zip(new, journal.all_answered([(each, read[at]) for at, each in new.items()]), strict=True):
        read[place] = written
    return read


def _grouped(attempts: Sequence[Attempt], source: Source) -> queue.SimpleQueue[Sequence[Attempt]]:
    """What is asked for by one request each."""
    waiting: queue.SimpleQueue[Sequence[Attempt]] = queue.SimpleQueue()
    for _, of_case in itertools.groupby(attempts, key=lambda attempt: attempt[:2]):
        left = list(of_case)
        for first in range(0, len(left), source.together):
            waiting.put(left[first : first + source.together])
    return waiting


def _asked(source: Source, group: Sequence[Attempt]) -> list[Completion]:
    if len(group) == 1 or source.ask_together is None:
        return [source.ask(group[0])]
    return list(source.ask_together(group))


def _of_batches(model: str, attempts: Sequence[Attempt], source: Source, journal: Journal) -> set[Attempt]:
    """Those that are asked for by a batch, or were."""
    if source.by_batch is None:
        return set()
    if source.by_batch.hand_in:
        return set(attempts)
    return {attempt for batch in journal.batches(model) for attempt in batch.attempts} & set(attempts)


def _ask_by_batch(
    attempts: Sequence[Attempt],
    source: Source,
    over: threading.Event,
    journal: Journal,
    ready: queue.SimpleQueue[Ready | _Failure | None],
) -> None:
    assert source.by_batch is not None
    try:
        for attempt, reason in Asking(source.by_batch, source.ask, journal, over).answers(attempts):
            ready.put(Ready(attempt, reason))
    except BaseException as error:  # handed to the thread that runs the run
        ready.put(_Failure(error))
    ready.put(None)


def _ask_all(
    waiting: queue.SimpleQueue[Sequence[Attempt]],
    source: Source,
    standing: Standing,
    over: threading.Event,
    journal: Journal,
    ready: queue.SimpleQueue[Ready | _Failure | None],
) -> None:
    try:
        while not over.is_set():
            try:
                group = waiting.get_nowait()
            except queue.Empty:
                break
            reason, completions = standing.why_not(group[0]), []
            if reason is None:
                try:
                    completions = _asked(source, group)
                except ProviderError as error:
                    standing.failed(group[0], error)
                    reason = str(error)
                else:
                    standing.answered()
            for attempt, completion in zip(group, completions, strict=False):
                journal.answered(attempt, completion)
                ready.put(Ready(attempt))
            for attempt in group[len(completions) :]:
                if reason is None:
                    waiting.put((attempt,))
                else:
                    ready.put(Ready(attempt, reason))
    except BaseException as error:  # handed to the thread that runs the run
        ready.put(_Failure(error))
    ready.put(None)
