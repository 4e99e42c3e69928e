"""Bounded queue of programs that are run on request."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from forgetest.engine.judging.program_runs import ProgramOutcome
from forgetest.service.http.messages import HttpError
from forgetest.toolchains.programs import ProgramRun

_RETRY_AFTER_S = 2


class RunsPrograms(Protocol):
    """The method of a Grader that the queue needs."""

    def run_program(self, code: str, language: str, run: ProgramRun) -> ProgramOutcome:
        """Run a program once."""


class ProgramQueue:
    """Runs programs in threads. All methods belong to the event loop."""

    def __init__(self, grader: RunsPrograms, slots: int, capacity: int) -> None:
        self._grader = grader
        self._capacity = capacity
        self._threads = ThreadPoolExecutor(slots, "run-program")
        self.in_service = 0

    async def run(self, code: str, language: str, run: ProgramRun) -> ProgramOutcome:
        """Run a program; if cancelled before it starts, it is not run."""
        if self.in_service >= self._capacity:
            detail = f"{self.in_service} programs are in service"
            raise HttpError(429, "the queue is full", detail, {"retry-after": str(_RETRY_AFTER_S)})
        self.in_service += 1
        try:
            running = self._threads.submit(self._grader.run_program, code, language, run)
            return await asyncio.wrap_future(running)
        finally:
            self.in_service -= 1

    def close(self) -> None:
        """Start no program any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
