"""A service in a thread of the test's own process, and what tests send to it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any

from forgetest.evalset import Case, EvalSet, Weights
from forgetest.grade import Grade
from forgetest.sample import Score
from forgetest.service.serving import ServeOptions, Service
from specimens import a_verdict

CORRECT = Grade(
    outcome="judged",
    correct=True,
    score=Score(compilation=1.0, tests=1.0, lint=1.0, overall=1.0),
    reason=None,
    code="code",
    verdict=a_verdict(),
    total_ms=1.0,
)


class FakeGrader:
    """Answers when the test says so; by default, at once."""

    def __init__(self) -> None:
        self.at_once = True
        self.waiting: list[tuple[str, Future[Grade]]] = []
        self.prepared: list[Case] = []

    def submit(
        self, answers: Sequence[tuple[str, Case]], *, as_code: bool = False, weights: Weights | None = None
    ) -> list[Future[Grade]]:
        futures: list[Future[Grade]] = []
        for text, _ in answers:
            future: Future[Grade] = Future()
            if self.at_once:
                future.set_result(CORRECT)
            else:
                self.waiting.append((text, future))
            futures.append(future)
        return futures

    def release(self) -> None:
        """Judge everything that waits."""
        waiting, self.waiting = self.waiting, []
        for _, future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_result(CORRECT)

    def prepare_case(self, case: Case) -> None:
        self.prepared.append(case)


class Running:
    """A service that runs in a thread."""

    def __init__(self, grader: Any, eval_sets: Sequence[EvalSet], options: ServeOptions) -> None:
        self.events: list[dict[str, object]] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._stopped = False

        def log(event: str, **fields: object) -> None:
            self.events.append({"event": event, **fields})

        async def create() -> Service:
            return Service(grader, eval_sets, options, log)

        self.service = self._call(create())
        self.url: str = self._call(self.service.start())
        self.port = int(self.url.rsplit(":", 1)[1])

    def begin_to_stop(self) -> Callable[[], None]:
        """Stop in the background; return a function that waits until it has stopped."""
        self._stopped = True
        stopping = asyncio.run_coroutine_threadsafe(self.service.stop(), self._loop)
        return lambda: stopping.result(20)

    def close(self) -> None:
        if not self._stopped:
            self._call(self.service.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _call(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(20)

    def send(self, data: bytes, *, timeout: float = 10) -> bytes:
        """Send bytes as they are, and return all that comes back until the service closes or is silent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as connection:
            connection.sendall(data)
            received = b""
            with contextlib.suppress(TimeoutError, ConnectionError):
                while chunk := connection.recv(1 << 16):
                    received += chunk
            return received


@contextlib.contextmanager
def running(grader: Any, eval_sets: Sequence[EvalSet] = (), **options: Any) -> Iterator[Running]:
    """Run a service on a free port of the loopback interface."""
    service = Running(grader, eval_sets, ServeOptions(port=0, **options))
    try:
        yield service
    finally:
        service.close()
