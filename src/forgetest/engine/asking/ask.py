"""Ask the models: a few threads for each, with every answer in the journal before it is judged."""

from __future__ import annotations

import contextlib
import functools
import itertools
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from forgetest.engine.asking.batches import BatchOptions, BatchSession
from forgetest.engine.asking.circuit_breaker import CircuitBreaker
from forgetest.engine.journal import Journal
from forgetest.errors import ProviderError
from forgetest.sample import Attempt, Completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Source of the answers of one model."""

    ask: Callable[[Attempt], Completion]
    concurrency: int
    together: int = 1
    """Number of attempts at a case that one request asks for."""
    ask_together: Callable[[Sequence[Attempt]], Sequence[Completion]] | None = None
    """Returns answers to the first of the attempts, at least one; the others are asked for again."""
    batches: BatchOptions | None = None
    immediate: bool = False
    """True if the answers are on this machine: no thread asks for them, and each is read when it is judged."""


@dataclass(frozen=True, slots=True)
class ReadyAttempt:
    """An attempt that can be judged now, or one for which there is no answer, with the reason."""

    attempt: Attempt
    no_answer: str | None = None


class _AskingFailure:
    """An error that is neither the model's nor the provider's fault; it ends the run."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


_Item = ReadyAttempt | _AskingFailure | None
"""None: one of the threads that fill the queue is done."""


class ReadyQueue:
    """Attempts in the order in which they become ready. Taken by one thread at a time."""

    def __init__(self, items: queue.SimpleQueue[_Item], producers: int) -> None:
        self._items = items
        self._producers = producers

    def __iter__(self) -> Iterator[ReadyAttempt]:
        return self

    def __next__(self) -> ReadyAttempt:
        while self._producers > 0:
            if (ready := self._take(block=True)) is not None:
                return ready
        raise StopIteration

    def poll(self) -> ReadyAttempt | None:
        """Return an attempt that is ready now, or None."""
        try:
            while self._producers > 0:
                if (ready := self._take(block=False)) is not None:
                    return ready
        except queue.Empty:
            pass
        return None

    def _take(self, *, block: bool) -> ReadyAttempt | None:
        item = self._items.get(block=block)
        if isinstance(item, _AskingFailure):
            raise item.error
        self._producers -= item is None
        return item


@contextlib.contextmanager
def ask_models(attempts: Sequence[Attempt], sources: Mapping[str, Source], journal: Journal) -> Iterator[ReadyQueue]:
    """Ask for every attempt; each becomes ready once its answer is in the journal, or immediately.

    Attempts that have an answer already come first. The queue holds attempts, not answers, so that slow judging
    neither blocks a request nor takes memory.
    """
    items: queue.SimpleQueue[_Item] = queue.SimpleQueue()
    unanswered: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if journal.has_answer(attempt) or sources[attempt.model_name].immediate:
            items.put(ReadyAttempt(attempt))
        else:
            unanswered.setdefault(attempt.model_name, []).append(attempt)
    stopped = threading.Event()
    producers: list[Callable[[], None]] = []
    for model, of_model in unanswered.items():
        asker = _Asker(sources[model], journal, items, stopped)
        by_batch = _attempts_by_batch(model, of_model, sources[model], journal)
        producers += asker.threads([attempt for attempt in of_model if attempt not in by_batch])
        if by_batch:
            producers.append(functools.partial(asker.ask_by_batch, sorted(by_batch)))
    for producer in producers:
        # daemons: a request that hangs must not keep an interrupted run from ending
        threading.Thread(target=_produce, args=(producer, items), daemon=True).start()
    try:
        items.put(None)
        yield ReadyQueue(items, len(producers) + 1)
    finally:
        stopped.set()
        for _ in range(len(producers) + 1):
            items.put(None)  # wakes whoever still waits for an answer of an interrupted run


def read_completions(attempts: Sequence[Attempt], sources: Mapping[str, Source], journal: Journal) -> list[Completion]:
    """Return the answers to attempts that are ready, and write those to the journal that are not there yet."""
    completions = [
        journal.completion(attempt) if journal.has_answer(attempt) else sources[attempt.model_name].ask(attempt)
        for attempt in attempts
    ]
    new = [index for index, attempt in enumerate(attempts) if not journal.has_answer(attempt)]
    written = journal.all_answered([(attempts[index], completions[index]) for index in new])
    for index, completion in zip(new, written, strict=True):
        completions[index] = completion
    return completions


def _attempts_by_batch(model: str, attempts: Sequence[Attempt], source: Source, journal: Journal) -> set[Attempt]:
    """Return the attempts that are to be submitted in a batch, or were by an earlier session."""
    if source.batches is None:
        return set()
    if source.batches.submit:
        return set(attempts)
    return {attempt for batch in journal.batches(model) for attempt in batch.attempts} & set(attempts)


def _produce(producer: Callable[[], None], items: queue.SimpleQueue[_Item]) -> None:
    try:
        producer()
    except BaseException as error:  # raised again in the thread that takes from the queue
        items.put(_AskingFailure(error))
    items.put(None)


class _Asker:
    """Asks one model, from several threads, and puts its attempts into the queue."""

    def __init__(
        self, source: Source, journal: Journal, items: queue.SimpleQueue[_Item], stopped: threading.Event
    ) -> None:
        self._source = source
        self._journal = journal
        self._items = items
        self._stopped = stopped
        self._circuit_breaker = CircuitBreaker()
        self._waiting: queue.SimpleQueue[Sequence[Attempt]] = queue.SimpleQueue()

    def threads(self, attempts: Sequence[Attempt]) -> list[Callable[[], None]]:
        """Return what each thread has to run so that all attempts are asked for."""
        for _, of_case in itertools.groupby(attempts, key=lambda attempt: attempt[:2]):
            group = list(of_case)
            for first in range(0, len(group), self._source.together):
                self._waiting.put(group[first : first + self._source.together])
        return [self._ask_waiting] * min(self._source.concurrency, self._waiting.qsize())

    def ask_by_batch(self, attempts: Sequence[Attempt]) -> None:
        assert self._source.batches is not None
        BatchSession(self._source.batches, self._source.ask, self._journal, self._stopped, self._put).run(attempts)

    def _ask_waiting(self) -> None:
        while not self._stopped.is_set():
            try:
                group = self._waiting.get_nowait()
            except queue.Empty:
                break
            self._ask_group(group)

    def _ask_group(self, group: Sequence[Attempt]) -> None:
        """Ask for attempts at one case by one request."""
        reason, completions = self._circuit_breaker.reason_to_skip(group[0]), []
        if reason is None:
            try:
                completions = self._request(group)
            except ProviderError as error:
                self._circuit_breaker.record_failure(group[0], error)
                reason = str(error)
            else:
                self._circuit_breaker.record_success()
        for attempt, completion in zip(group, completions, strict=False):
            self._journal.answered(attempt, completion)
            self._put(attempt, None)
        for attempt in group[len(completions) :]:
            if reason is None:
                self._waiting.put((attempt,))
            else:
                self._put(attempt, reason)

    def _request(self, group: Sequence[Attempt]) -> list[Completion]:
        if len(group) == 1 or self._source.ask_together is None:
            return [self._source.ask(group[0])]
        return list(self._source.ask_together(group))

    def _put(self, attempt: Attempt, reason: str | None) -> None:
        self._items.put(ReadyAttempt(attempt, reason))
