"""`--batch`: requests are submitted all at once, for half the price, and collected when the service is done.

A batch is written to the journal before and after it is submitted: a run that is killed in between finds its batch
again by the tag that it gave it. The first request is sent on its own, to find out whether the key, the model and
the parameters are accepted.
"""

from __future__ import annotations

import itertools
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from forgetest.engine.asking.budget import Budget
from forgetest.engine.journal import Batch, Journal
from forgetest.errors import ProviderError
from forgetest.providers import Batches, Collected
from forgetest.providers.retry import MAX_TRIES, retry_delay_s
from forgetest.sample import Attempt, Completion, Request

MAX_REQUESTS = 10_000
"""Requests of one batch. The services accept more, but a batch is held in memory."""
_MAX_CLOCK_SKEW = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """Access to the batches of one model."""

    batches: Batches
    request: Callable[[Attempt], Request]
    poll_s: float
    submit: bool
    """False: collect what an earlier session submitted, and submit nothing."""
    most_cost: Callable[[Attempt], float | None]
    budget: Budget | None
    cached: Callable[[Attempt], Completion | None]
    """Looks up the answer of an earlier run."""
    keep: Callable[[Attempt, Completion], None]
    """Caches an answer."""
    announce: Callable[[str], None]


class BatchSession:
    """The batches of one model in one session of a run."""

    def __init__(
        self,
        options: BatchOptions,
        ask: Callable[[Attempt], Completion],
        journal: Journal,
        stopped: threading.Event,
        report: Callable[[Attempt, str | None], None],
    ) -> None:
        """`ask` asks for a single answer; `stopped` is set when the run is over.

        `report` is called for each attempt whose answer is in the journal, or with the reason why there is none.
        """
        self._options = options
        self._ask = ask
        self._journal = journal
        self._stopped = stopped
        self._report_to = report
        self._wanted: set[Attempt] = set()
        self._reported: set[Attempt] = set()

    def run(self, attempts: Sequence[Attempt]) -> None:
        """Get the answers to attempts at one model, reporting each as soon as it is known."""
        model = attempts[0].model_name
        self._wanted = set(attempts)
        self._collect_earlier(model)
        if self._stopped.is_set():
            return
        remaining = self._without_cached([attempt for attempt in attempts if attempt not in self._reported])
        if not self._options.submit:
            for attempt in remaining:
                self._report(attempt, "its batch never reached the service; the same command asks")
            return
        remaining = self._ask_first(remaining)
        for batch in self._submit_all(model, self._affordable(remaining)):
            self._collect(batch)

    def _collect_earlier(self, model: str) -> None:
        """Collect what earlier sessions submitted."""
        batches = self._journal.batches(model)
        if self._options.budget is not None:
            for attempt in itertools.chain.from_iterable(batch.attempts for batch in batches):
                self._options.budget.commit(self._most_cost(attempt))
        for batch in batches:
            self._collect(batch)

    def _without_cached(self, attempts: Sequence[Attempt]) -> list[Attempt]:
        """Answer attempts from the cache; return those that it has no answer to."""
        remaining = []
        for attempt in attempts:
            cached = self._options.cached(attempt)
            if cached is None:
                remaining.append(attempt)
            else:
                self._journal.answered(attempt, cached)
                self._report(attempt, None)
        return remaining

    def _ask_first(self, attempts: Sequence[Attempt]) -> list[Attempt]:
        """Ask for single answers until one succeeds; return the rest, or nothing where all would fail alike."""
        for number, attempt in enumerate(attempts, start=1):
            try:
                self._journal.answered(attempt, self._ask(attempt))
            except ProviderError as error:
                self._report(attempt, str(error))
                if error.final and not error.of_request:
                    for other in attempts[number:]:
                        self._report(other, str(error))
                    return []
            else:
                self._report(attempt, None)
                return list(attempts[number:])
        return []

    def _affordable(self, attempts: Sequence[Attempt]) -> list[Attempt]:
        """Reserve the cost of attempts while it is within the budget; return those."""
        budget = self._options.budget
        if budget is None:
            return list(attempts)
        affordable = list(itertools.takewhile(lambda attempt: budget.try_reserve(self._most_cost(attempt)), attempts))
        for attempt in attempts[len(affordable) :]:
            self._report(attempt, budget.reason(self._most_cost(attempt)))
        return affordable

    def _submit_all(self, model: str, attempts: Sequence[Attempt]) -> list[Batch]:
        batches: list[Batch] = []
        for first in range(0, len(attempts), MAX_REQUESTS):
            try:
                batches.append(self._submit(model, attempts[first : first + MAX_REQUESTS]))
            except ProviderError as error:
                for attempt in attempts[first:]:
                    self._settle(attempt, 0.0)
                    self._report(attempt, str(error))
                break
        return batches

    def _submit(self, model: str, attempts: Sequence[Attempt]) -> Batch:
        tag, now = secrets.token_hex(8), datetime.now(UTC).isoformat(timespec="seconds")
        batch = Batch(tag=tag, model=model, attempts=tuple(attempts), handed_in_at=now)
        self._journal.handed_in(batch)
        requests = {
            _request_name(tag, number): self._options.request(attempt) for number, attempt in enumerate(attempts)
        }
        for number in range(MAX_TRIES):
            try:
                return self._record_id(batch, self._options.batches.submit(requests, tag))
            except ProviderError as error:
                if error.final:
                    self._journal.handed_in(replace(batch, ended=True))
                if error.final or number + 1 == MAX_TRIES:
                    raise
                delay = retry_delay_s(number, error.retry_after_s, 1.0)
            self._stopped.wait(delay)
            # the request may have arrived although its reply was lost
            batch_id = self._find(batch)
            if batch_id is not None:
                return self._record_id(batch, batch_id)
        raise AssertionError("the last try returns or raises")

    def _record_id(self, batch: Batch, batch_id: str) -> Batch:
        submitted = replace(batch, batch_id=batch_id)
        self._journal.handed_in(submitted)
        self._options.announce(
            f"{batch.model}: {len(batch.attempts)} requests submitted as batch {batch_id}; "
            "the same command collects the answers, also if this one is stopped"
        )
        return submitted

    def _collect(self, batch: Batch) -> None:
        """Wait for a batch and record its answers; give up when the run is over or the service keeps failing."""
        failures = 0
        while not self._stopped.is_set():
            try:
                if batch.batch_id is None:
                    batch_id = self._find(batch)
                    if batch_id is None:
                        self._forget(batch)
                        return
                    batch = self._record_id(batch, batch_id)
                assert batch.batch_id is not None
                collected = self._options.batches.collect(batch.batch_id, batch.attempts[0].model)
                failures = 0
            except ProviderError as error:
                failures += 1
                if error.final or failures > MAX_TRIES:
                    self._leave_for_later(batch, error)
                    return
                self._stopped.wait(max(self._options.poll_s, error.retry_after_s or 0.0))
                continue
            if collected is not None:
                self._record(batch, collected)
                return
            self._stopped.wait(self._options.poll_s)

    def _find(self, batch: Batch) -> str | None:
        """Return the id of the batch that was submitted under this tag, or None; wait while the service is not sure."""
        since = datetime.fromisoformat(batch.handed_in_at) - _MAX_CLOCK_SKEW
        while not self._stopped.is_set():
            batch_id, sure = self._options.batches.find(batch.tag, len(batch.attempts), since)
            if batch_id is not None or sure:
                return batch_id
            self._stopped.wait(self._options.poll_s)
        return None

    def _forget(self, batch: Batch) -> None:
        """Treat a batch that never reached the service as if it had not been submitted."""
        if self._stopped.is_set():
            return  # it was not looked for long enough to know
        self._journal.handed_in(replace(batch, ended=True))
        for attempt in batch.attempts:
            self._settle(attempt, 0.0)

    def _leave_for_later(self, batch: Batch, error: ProviderError) -> None:
        for attempt in batch.attempts:
            self._settle(attempt, None)  # the service may charge for it all the same
            self._report(attempt, f"{error}; the same command tries to collect its batch again")

    def _record(self, batch: Batch, collected: Collected) -> None:
        """Write the answers of a batch to the journal."""
        for number, attempt in enumerate(batch.attempts):
            answer = collected.answers.get(_request_name(batch.tag, number))
            if isinstance(answer, Completion):
                self._settle(attempt, answer.usage.cost_usd)
                if not self._journal.has_answer(attempt):  # an earlier session may have been killed while recording
                    self._journal.answered(attempt, answer)
                    if attempt in self._wanted:
                        self._options.keep(attempt, answer)
                self._report(attempt, None)
            else:
                self._settle(attempt, 0.0)
                self._report(attempt, collected.otherwise if answer is None else str(answer))
        self._journal.handed_in(replace(batch, ended=True))

    def _report(self, attempt: Attempt, reason: str | None) -> None:
        self._reported.add(attempt)
        if attempt in self._wanted:
            self._report_to(attempt, reason)

    def _most_cost(self, attempt: Attempt) -> float:
        # the request for a case that this session leaves out is not known
        return (self._options.most_cost(attempt) or 0.0) if attempt in self._wanted else 0.0

    def _settle(self, attempt: Attempt, paid: float | None) -> None:
        if self._options.budget is not None:
            reserved = self._most_cost(attempt)
            self._options.budget.settle(attempt.model_name, reserved, reserved if paid is None else paid)


def _request_name(tag: str, number: int) -> str:
    return f"{tag}-{number}"
