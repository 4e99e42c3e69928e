"""`--batch`: requests are handed in all at once, for half the price, and collected when the service is done.

What is handed in stands in the journal before and after: a run that is killed in between finds its batch again by
the tag that it gave it. The first request goes ahead by itself; it shows whether key, model and parameters will do.
"""

from __future__ import annotations

import itertools
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from forgetest.engine.asking.budget import Purse
from forgetest.engine.asking.retry import TRIES, pause_s
from forgetest.engine.journal import Batch, Journal
from forgetest.errors import ProviderError
from forgetest.providers import Batches
from forgetest.sample import Attempt, Completion, Request

MOST_REQUESTS = 10_000
"""Of a batch; the services take more, but a file of them is held in memory."""
_CLOCKS_DIFFER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByBatch:
    """How a model is asked by batches."""

    batches: Batches
    request: Callable[[Attempt], Request]
    poll_s: float
    hand_in: bool
    """False: what an earlier session handed in is collected, and no more."""
    most_cost: Callable[[Attempt], float | None]
    purse: Purse | None
    kept: Callable[[Attempt], Completion | None]
    """An answer of an earlier run, where such are used."""
    keep: Callable[[Attempt, Completion], None]
    announce: Callable[[str], None]


Found = tuple[Attempt, str | None]
"""An attempt whose answer is in the journal now; or, with a reason, one for which there is none."""


class Asking:
    """One model's batches in one session."""

    def __init__(
        self, by_batch: ByBatch, ask: Callable[[Attempt], Completion], journal: Journal, over: threading.Event
    ) -> None:
        """`ask` asks for one at once; `over` is set when nobody waits any more."""
        self._by = by_batch
        self._ask = ask
        self._journal = journal
        self._over = over
        self._wanted: set[Attempt] = set()
        self._told: set[Attempt] = set()

    def answers(self, attempts: Sequence[Attempt]) -> Iterator[Found]:
        """Each attempt with what became of it, in the order in which that is known."""
        model = attempts[0].model_name
        self._wanted = set(attempts)
        yield from (found for found in self._pending(model) if found[0] in self._wanted)
        if self._over.is_set():
            return
        left = []
        for attempt in (attempt for attempt in attempts if attempt not in self._told):
            kept = self._by.kept(attempt)
            if kept is None:
                left.append(attempt)
            else:
                self._journal.answered(attempt, kept)
                yield attempt, None
        if not self._by.hand_in:
            for attempt in left:
                yield attempt, "its batch never reached the service; the same command asks"
            return
        yield from self._go_ahead(left)
        fitting = list(itertools.takewhile(self._fits, left))
        for attempt in left[len(fitting) :]:
            assert self._by.purse is not None
            yield attempt, self._by.purse.reason(self._most(attempt))
        batches: list[Batch] = []
        firsts = range(0, len(fitting), MOST_REQUESTS)
        try:
            batches.extend(self._hand_in(model, fitting[first : first + MOST_REQUESTS]) for first in firsts)
        except ProviderError as error:
            for attempt in fitting[sum(len(batch.attempts) for batch in batches) :]:
                self._settle(attempt, 0.0)
                yield attempt, str(error)
        for batch in batches:
            yield from self._collected(batch)

    def _pending(self, model: str) -> Iterator[Found]:
        """What earlier sessions handed in; what never reached the service is as if it had not been."""
        batches = self._journal.batches(model)
        for attempt in (attempt for batch in batches for attempt in batch.attempts):
            if self._by.purse is not None:
                self._by.purse.commit(self._most(attempt))
        for batch in batches:
            for found in self._collected(batch):
                self._told.add(found[0])
                yield found

    def _go_ahead(self, left: list[Attempt]) -> Iterator[Found]:
        """Ask for the first; where that is hopeless, so is the rest."""
        while left:
            attempt = left.pop(0)
            try:
                self._journal.answered(attempt, self._ask(attempt))
            except ProviderError as error:
                yield attempt, str(error)
                if error.final and not error.of_request:
                    yield from ((each, str(error)) for each in left)
                    left.clear()
                continue
            yield attempt, None
            return

    def _hand_in(self, model: str, attempts: Sequence[Attempt]) -> Batch:
        tag, since = secrets.token_hex(8), datetime.now(UTC)
        noted = Batch(tag=tag, model=model, attempts=tuple(attempts), handed_in_at=since.isoformat(timespec="seconds"))
        self._journal.handed_in(noted)
        requests = {_name(tag, number): self._by.request(attempt) for number, attempt in enumerate(attempts)}
        for number in itertools.count():
            try:
                batch_id = self._by.batches.submit(requests, tag)
                break
            except ProviderError as error:
                if error.final:
                    self._journal.handed_in(replace(noted, ended=True))
                if error.final or number + 1 == TRIES:
                    raise
                wait = pause_s(number, error.retry_after_s, 1.0)
            self._rest(wait)
            # what broke off may have arrived all the same
            found = self._find(noted)
            if found is not None:
                return self._placed(noted, found)
        return self._placed(noted, batch_id)

    def _placed(self, batch: Batch, batch_id: str) -> Batch:
        placed = replace(batch, batch_id=batch_id)
        self._journal.handed_in(placed)
        self._by.announce(
            f"{batch.model}: {len(batch.attempts)} requests handed in as batch {batch_id}; "
            "the same command collects the answers, also if this one is stopped"
        )
        return placed

    def _collected(self, batch: Batch) -> Iterator[Found]:
        failures = 0
        while not self._over.is_set():
            try:
                if batch.batch_id is None:
                    found = self._find(batch)
                    if found is None:
                        if not self._over.is_set():
                            self._journal.handed_in(replace(batch, ended=True))
                            for attempt in batch.attempts:
                                self._settle(attempt, 0.0)
                        return
                    batch = self._placed(batch, found)
                assert batch.batch_id is not None
                collected = self._by.batches.collect(batch.batch_id, batch.attempts[0].model)
                failures = 0
            except ProviderError as error:
                failures += 1
                if error.final or failures > TRIES:
                    for attempt in batch.attempts:
                        self._settle(attempt, None)  # it may be paid for all the same
                        yield attempt, f"{error}; the same command tries to collect its batch again"
                    return
                self._rest(max(self._by.poll_s, error.retry_after_s or 0.0))
                continue
            if collected is None:
                self._rest(self._by.poll_s)
                continue
            for number, attempt in enumerate(batch.attempts):
                answer = collected.answers.get(_name(batch.tag, number))
                if isinstance(answer, Completion):
                    self._settle(attempt, answer.usage.cost_usd)
                    if not self._journal.has_answer(attempt):  # a kill came while they were noted
                        self._journal.answered(attempt, answer)
                        if attempt in self._wanted:
                            self._by.keep(attempt, answer)
                    yield attempt, None
                else:
                    self._settle(attempt, 0.0)
                    yield attempt, collected.otherwise if answer is None else str(answer)
            self._journal.handed_in(replace(batch, ended=True))
            return

    def _find(self, batch: Batch) -> str | None:
        """The batch that was handed in under this tag, if it was; waits while the service cannot tell."""
        since = datetime.fromisoformat(batch.handed_in_at) - _CLOCKS_DIFFER
        while not self._over.is_set():
            found, sure = self._by.batches.find(batch.tag, len(batch.attempts), since)
            if found is not None or sure:
                return found
            self._rest(self._by.poll_s)
        return None

    def _rest(self, seconds: float) -> None:
        self._over.wait(seconds)

    def _fits(self, attempt: Attempt) -> bool:
        return self._by.purse is None or self._by.purse.fits(self._most(attempt))

    def _most(self, attempt: Attempt) -> float:
        # of a case that this session leaves out, the request is not known
        return (self._by.most_cost(attempt) or 0.0) if attempt in self._wanted else 0.0

    def _settle(self, attempt: Attempt, paid: float | None) -> None:
        if self._by.purse is not None:
            most = self._most(attempt)
            self._by.purse.settle(attempt.model_name, most, most if paid is None else paid)


def _name(tag: str, number: int) -> str:
    """The name of a request in its batch."""
    return f"{tag}-{number}"
