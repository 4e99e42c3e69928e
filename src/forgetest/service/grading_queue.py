"""Bounded queue in front of the Grader: refuses what it has no room for, and gives up on time."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol

from forgetest.errors import ForgetestError
from forgetest.evalset import Case, Weights
from forgetest.grade import Grade, unjudged
from forgetest.service.http.messages import HttpError
from forgetest.service.metrics import Metrics

_RETRY_AFTER_S, _MOST_RETRY_AFTER_S = 2, 60
_RECENT_S = 30.0
_REMEMBERED = 256
"""Finished samples by which the time until there is room is estimated."""
STOPPING = "the service is stopping; send the sample again"


class Answer(NamedTuple):
    """An answer to grade."""

    text: str
    case: Case
    as_code: bool = False


class SubmitsAnswers(Protocol):
    """The method of a Grader that the queue needs."""

    def submit(
        self, answers: Sequence[tuple[str, Case]], *, as_code: bool = False, weights: Weights | None = None
    ) -> list[Future[Grade]]:
        """Return a future for each answer."""


class GradingQueue:
    """Grades answers for requests. All methods belong to the event loop."""

    def __init__(self, grader: SubmitsAnswers, capacity: int, metrics: Metrics) -> None:
        """`capacity`: how many samples may be waiting or be judged at once."""
        self._grader = grader
        self.capacity = capacity
        self._metrics = metrics
        self.in_service = 0
        self._finished: deque[float] = deque(maxlen=_REMEMBERED)
        self._hand_back = asyncio.Event()
        self._is_empty = asyncio.Event()
        self._is_empty.set()

    async def grade(
        self, answers: Sequence[Answer], *, weights: Weights | None = None, deadline_s: float
    ) -> list[Grade]:
        """Grade answers; those not judged by the deadline are unjudged. If cancelled, what waits is not judged."""
        self._admit(len(answers))
        waiting: list[asyncio.Future[Grade]] = []
        left = len(answers)

        def finish(_: object) -> None:
            nonlocal left
            left -= 1
            self._release(1)

        try:
            deadline = time.monotonic() + deadline_s
            waiting = [asyncio.wrap_future(future) for future in await self._submit_in_thread(answers, weights)]
            for future in waiting:
                future.add_done_callback(finish)
            reason = await self._wait(waiting, deadline, deadline_s)
        except asyncio.CancelledError:
            self._metrics.abandoned += left
            raise
        finally:
            for future in waiting:
                future.cancel()
            if not waiting:
                self._release(left)
        return [self._count(_result(future, reason)) for future in waiting]

    async def stop(self, grace_s: float) -> None:
        """Wait for what is in service; after a while, hand it back unjudged."""
        try:
            async with asyncio.timeout(grace_s):
                await self._is_empty.wait()
        except TimeoutError:
            self.hand_back()

    def hand_back(self) -> None:
        """Answer everything that waits: not judged, to be sent again."""
        self._hand_back.set()

    def retry_after_s(self) -> int:
        """Return after how many seconds there probably is room again."""
        now = time.monotonic()
        recent = [finished for finished in self._finished if now - finished < _RECENT_S]
        if len(recent) < 2:
            return _RETRY_AFTER_S
        rate = len(recent) / max(0.1, now - recent[0])
        return max(1, min(_MOST_RETRY_AFTER_S, math.ceil(self.in_service / 2 / rate)))

    def _admit(self, count: int) -> None:
        if count > self.capacity:
            detail = f"{count} samples; at most {self.capacity} fit into the queue: send fewer at once"
            raise HttpError(413, "too many samples", detail)
        if self.in_service + count > self.capacity:
            self._metrics.refused += count
            detail = f"{self.in_service} samples are in service, of at most {self.capacity}"
            raise HttpError(429, "the queue is full", detail, {"retry-after": str(self.retry_after_s())})
        self.in_service += count
        if count:
            self._is_empty.clear()

    def _release(self, count: int) -> None:
        self.in_service -= count
        self._finished.extend([time.monotonic()] * count)
        if not self.in_service:
            self._is_empty.set()

    async def _submit_in_thread(self, answers: Sequence[Answer], weights: Weights | None) -> list[Future[Grade]]:
        submitting = asyncio.ensure_future(asyncio.to_thread(self._submit, answers, weights))
        try:
            return await asyncio.shield(submitting)
        except asyncio.CancelledError:
            submitting.add_done_callback(_cancel_submitted)
            raise

    def _submit(self, answers: Sequence[Answer], weights: Weights | None) -> list[Future[Grade]]:
        """Submit answers in a thread: finding the code in them takes a while."""
        futures: list[Future[Grade] | None] = [None] * len(answers)
        for as_code in (False, True):
            places = [place for place, answer in enumerate(answers) if answer.as_code is as_code]
            pairs = [(answers[place].text, answers[place].case) for place in places]
            if pairs:
                found = self._grader.submit(pairs, as_code=as_code, weights=weights)
                for place, future in zip(places, found, strict=True):
                    futures[place] = future
        return [future for future in futures if future is not None]

    async def _wait(self, waiting: Sequence[asyncio.Future[Grade]], deadline: float, deadline_s: float) -> str:
        """Wait for the grades; return why those that are missing then are not judged."""
        if not waiting:
            return ""
        handed_back = asyncio.ensure_future(self._hand_back.wait())
        everything = asyncio.ensure_future(asyncio.wait(waiting))
        try:
            timeout = max(0.0, deadline - time.monotonic())
            done, _ = await asyncio.wait(
                {everything, handed_back}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            handed_back.cancel()
            everything.cancel()
        if handed_back in done:
            return STOPPING
        if not done:
            self._metrics.expired += sum(not future.done() for future in waiting)
        return f"not judged by its deadline of {deadline_s:g} s"

    def _count(self, grade: Grade) -> Grade:
        self._metrics.samples[grade.outcome] += 1
        self._metrics.correct += grade.correct
        return grade


def _cancel_submitted(submitting: asyncio.Future[list[Future[Grade]]]) -> None:
    if not submitting.cancelled() and submitting.exception() is None:
        for future in submitting.result():
            future.cancel()


def _result(future: asyncio.Future[Grade], reason: str) -> Grade:
    """Return the grade; an unjudged one where there is none."""
    if not future.done() or future.cancelled():
        return unjudged(reason or STOPPING)
    error = future.exception()
    if isinstance(error, ForgetestError | OSError):
        return unjudged(str(error))
    if error is not None:
        raise error
    return future.result()
