"""Run the service: open, listen, and stop on a signal without losing what was taken."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from forgetest.errors import ForgetestError, UserError
from forgetest.evalset import Case, EvalSet
from forgetest.grading import Grader
from forgetest.service.application import Application, Routes, token_digest
from forgetest.service.case_store import CaseStore
from forgetest.service.doors.sandbox_fusion import SandboxFusionDoor
from forgetest.service.doors.scalebox import ScaleBoxDoor
from forgetest.service.endpoints import Endpoints, State
from forgetest.service.grading_queue import GradingQueue
from forgetest.service.http.server import HttpLimits, HttpServer
from forgetest.service.logs import Log
from forgetest.service.metrics import Metrics
from forgetest.service.program_queue import ProgramQueue

_LEAST_TOKEN_LENGTH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """How to serve."""

    host: str = "127.0.0.1"
    port: int = 8080
    """0: any free port."""
    tokens: Sequence[str] = ()
    queue: int = 4096
    """Samples that may wait or be judged at once."""
    deadline_s: float = 600.0
    """For requests that name none."""
    grace_s: float = 30.0
    """How long samples that were taken may still be judged after a signal to stop."""
    program_slots: int = 2
    """Programs that are run at once for `/run_code`."""
    limits: HttpLimits = field(default_factory=HttpLimits)


def read_tokens(path: Path) -> list[str]:
    """Read bearer tokens from a file, one per line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise UserError(f"--token-file {path}: cannot be read: {reason}") from error
    tokens = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not tokens:
        raise UserError(f"--token-file {path}: no token in it; write one per line: `openssl rand -hex 32` makes one")
    if any(len(token) < _LEAST_TOKEN_LENGTH or " " in token for token in tokens):
        raise UserError(f"--token-file {path}: a token needs at least {_LEAST_TOKEN_LENGTH} characters, and no space")
    return tokens


def check_address(host: str, tokens: Sequence[str]) -> None:
    """Refuse to serve other machines without a token."""
    if not tokens and not _is_loopback(host):
        raise UserError(
            f"--host {host}: other machines could run code here; give a --token-file, or serve on 127.0.0.1"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Service:
    """A service that can be started and stopped; belongs to one event loop."""

    def __init__(self, grader: Grader, eval_sets: Sequence[EvalSet], options: ServeOptions, log: Log) -> None:
        """Refuse an address that would be open to others."""
        check_address(options.host, options.tokens)
        self._options = options
        self._log = log
        self._state = State()
        self._cases = CaseStore(eval_sets)
        self.metrics = Metrics()
        self.queue = GradingQueue(grader, options.queue, self.metrics)
        endpoints = Endpoints(
            cases=self._cases,
            queue=self.queue,
            prepare=grader.prepare_case,
            metrics=self.metrics,
            deadline_s=options.deadline_s,
            state=self._state,
        )
        self._programs = ProgramQueue(grader, options.program_slots, options.queue)
        fusion = SandboxFusionDoor(
            cases=self._cases,
            queue=self.queue,
            programs=self._programs,
            metrics=self.metrics,
            deadline_s=options.deadline_s,
        )
        scalebox = ScaleBoxDoor(cases=self._cases, queue=self.queue, deadline_s=options.deadline_s)
        application = Application(
            routes=_routes(endpoints, fusion, scalebox),
            tokens=[token_digest(token) for token in options.tokens],
            metrics=self.metrics,
            state=self._state,
            log=log,
        )
        self._server = HttpServer(application, options.limits)
        self._preparing = _Preparing(grader, list(self._cases.loaded.values()), self._state, log)

    async def start(self) -> str:
        """Begin to listen; return the URL."""
        host, port = await self._server.start(self._options.host, self._options.port)
        url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        self._log("listening", url=url, cases=len(self._cases.loaded), token=bool(self._options.tokens))
        self._preparing.start()
        return url

    async def stop(self) -> None:
        """Take nothing any more; judge what was taken, or hand it back after the grace period."""
        self._state.is_stopping = True
        self._preparing.stop()
        self._log("stopping", in_service=self.queue.in_service)
        await self._server.stop(self.queue.stop(self._options.grace_s))
        self._programs.close()
        self._log("stopped", judged=self.metrics.samples["judged"], unjudged=self.metrics.samples["unjudged"])


def serve(
    grader: Grader,
    eval_sets: Sequence[EvalSet],
    options: ServeOptions,
    *,
    log: Log,
    listening: Callable[[str], None],
) -> signal.Signals:
    """Serve until a signal comes; return it. `listening` is called with the URL."""
    return asyncio.run(_serve_until_signal(grader, eval_sets, options, log, listening))


async def _serve_until_signal(
    grader: Grader,
    eval_sets: Sequence[EvalSet],
    options: ServeOptions,
    log: Log,
    listening: Callable[[str], None],
) -> signal.Signals:
    service = Service(grader, eval_sets, options, log)
    signals: asyncio.Queue[signal.Signals] = asyncio.Queue()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, signals.put_nowait, each)
    listening(await service.start())
    received = await signals.get()
    impatience = asyncio.ensure_future(_hand_back_on_signal(signals, service.queue))
    await service.stop()
    impatience.cancel()
    return received


async def _hand_back_on_signal(signals: asyncio.Queue[signal.Signals], queue: GradingQueue) -> None:
    await signals.get()
    queue.hand_back()


def _routes(endpoints: Endpoints, fusion: SandboxFusionDoor, scalebox: ScaleBoxDoor) -> Routes:
    return {
        "/v1/grade": {"POST": endpoints.grade},
        "/v1/prepare": {"POST": endpoints.prepare_case},
        "/v1/cases": {"GET": endpoints.list_cases},
        "/health": {"GET": endpoints.health},
        "/metrics": {"GET": endpoints.show_metrics},
        "/openapi.json": {"GET": endpoints.openapi},
        "/run_code": {"POST": fusion.run_code},
        "/submit": {"POST": fusion.submit},
        "/common_evaluate_batch": {"POST": scalebox.common_evaluate_batch},
    }


class _Preparing:
    """Prepares the loaded cases beside the first requests."""

    def __init__(self, grader: Grader, cases: Sequence[Case], state: State, log: Log) -> None:
        self._grader = grader
        self._cases = cases
        self._state = state
        self._log = log
        self._is_over = False

    def start(self) -> None:
        threading.Thread(target=self._prepare, name="preparing", daemon=True).start()

    def stop(self) -> None:
        self._is_over = True

    def _prepare(self) -> None:
        for case in self._cases:
            if self._is_over:
                return
            with contextlib.suppress(OSError):  # met again, and reported, by the first sample
                try:
                    self._grader.prepare_case(case)
                    self._state.prepared += 1
                except ForgetestError as error:
                    if not self._is_over:
                        self._log("not prepared", case=case.id, error=str(error))
