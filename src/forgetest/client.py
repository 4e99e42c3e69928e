"""Client: grades answers at a service (`forgetest serve`), with the methods of a Grader.

Uses only the standard library for HTTP. Thread-safe. See docs/serve.md.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import ssl
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case, Weights
from forgetest.evalset.inline import case_table
from forgetest.grade import Grade, Progress, unjudged
from forgetest.service import wire
from forgetest.version import __version__

_MOST_IN_REQUEST = 256
_MOST_CHARACTERS = 4 << 20
"""Of the answers in one request."""
_CONNECTIONS = 4
_MOST_SUBMITTED = 32
"""Answers that are submitted one by one, and are at the service at the same time."""
_LEAST_PAUSE_S, _MOST_PAUSE_S = 0.2, 10.0
_BUSY = (408, 429, 502, 503, 504)
"""Statuses after which the same request may succeed."""

_Form = TypeVar("_Form")


class Client:
    """Grades answers at a service. A sample that the service could not judge in time is unjudged, never wrong."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        token: str | None = None,
        timeout_s: float = 600.0,
        with_verdict: bool = True,
    ) -> None:
        """Remember the options; nothing is sent yet.

        `timeout_s`: how long to try for each answer: while the service is full, stopping, or cannot be reached.
        `with_verdict`: get the raw observation of each sample, without which no grade is `verified`.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UserError(f"{url}: not the address of a service, for example http://127.0.0.1:8080")
        self._url = url.rstrip("/")
        self._host, self._port, self._base = parts.hostname, parts.port, parts.path.rstrip("/")
        self._is_secure = parts.scheme == "https"
        self._headers = {"user-agent": f"forgetest/{__version__}", "content-type": "application/json"}
        if token is not None:
            self._headers["authorization"] = f"Bearer {token}"
        self._timeout_s = timeout_s
        self._with_verdict = with_verdict
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPConnection] = []
        self._is_closed = False
        self._has_answered = False
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Client:
        self.health()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections. The Client cannot be used afterwards."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            pool, self._pool = self._pool, None
        for connection in idle:
            connection.close()
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def grade(self, answer: str, case: Case, *, as_code: bool = False, weights: Weights | None = None) -> Grade:
        """Grade one answer to a case; with `as_code`, the answer is the code."""
        [grade] = self.grade_many([(answer, case)], as_code=as_code, weights=weights)
        return grade

    def grade_many(
        self,
        answers: Iterable[tuple[str, Case]],
        *,
        as_code: bool = False,
        weights: Weights | None = None,
        progress: Progress | None = None,
    ) -> list[Grade]:
        """Grade answers, which share compiler calls at the service. Grades come in the order of the answers."""
        pairs = list(answers)
        parts = list(_parts(pairs))
        if not parts:
            return []
        grades: list[Grade] = []
        self._connect()
        with ThreadPoolExecutor(min(_CONNECTIONS, len(parts)), "forgetest-client") as pool:
            for graded in pool.map(lambda part: self._grade_part(part, as_code, weights), parts):
                grades += graded
                if progress is not None:
                    progress(len(grades), len(pairs))
        return grades

    def submit(
        self, answers: Iterable[tuple[str, Case]], *, as_code: bool = False, weights: Weights | None = None
    ) -> list[Future[Grade]]:
        """Start to grade answers and return a future for each, in their order.

        Each is a request of its own; at the service they share compiler calls with whatever is graded at the time.
        """
        pairs = list(answers)
        self._connect()
        with self._lock:
            if self._is_closed:
                raise UserError("this Client is closed; create another one")
            if self._pool is None:
                self._pool = ThreadPoolExecutor(_MOST_SUBMITTED, "forgetest-client")
            return [self._pool.submit(self._grade_alone, pair, as_code, weights) for pair in pairs]

    def prepare_case(self, case: Case) -> None:
        """Prepare a case before it is needed; otherwise its first sample waits for that."""
        self._post("/v1/prepare", {"case": case_table(case)}, dict)

    def cases(self) -> list[wire.CaseForm]:
        """Return the cases that are loaded at the service, without their tests."""
        found: list[wire.CaseForm] = []
        while True:
            page = self._get(f"/v1/cases?offset={len(found)}", wire.CasesForm)
            found += page.cases
            if not page.cases or len(found) >= page.total:
                return found

    def health(self) -> wire.HealthForm:
        """Return the state of the service. Raises MachineryError where there is none."""
        return self._get("/health", wire.HealthForm)

    def _connect(self) -> None:
        """See that there is a service before the first request: a wrong address must not yield unjudged samples."""
        if not self._has_answered:
            self.health()

    def _grade_alone(self, pair: tuple[str, Case], as_code: bool, weights: Weights | None) -> Grade:
        [grade] = self._grade_part([pair], as_code, weights)
        return grade

    def _grade_part(self, pairs: Sequence[tuple[str, Case]], as_code: bool, weights: Weights | None) -> list[Grade]:
        try:
            answered = self._post("/v1/grade", self._request(pairs, as_code, weights), wire.GradesForm)
        except MachineryError as error:
            return [unjudged(str(error))] * len(pairs)
        if len(answered.grades) != len(pairs):
            raise MachineryError(f"{self._url}: {len(answered.grades)} grades for {len(pairs)} samples")
        return [wire.read_grade(form) for form in answered.grades]

    def _request(self, pairs: Sequence[tuple[str, Case]], as_code: bool, weights: Weights | None) -> dict[str, Any]:
        """Return a request in which each case is written once."""
        names = {id(case): str(number) for number, case in enumerate({id(c): c for _, c in pairs}.values())}
        cases = {names[id(case)]: case_table(case) for case in {id(c): c for _, c in pairs}.values()}
        request: dict[str, Any] = {
            "samples": [
                {"case": names[id(case)], "answer": answer, **({"as_code": True} if as_code else {})}
                for answer, case in pairs
            ],
            "cases": cases,
            "deadline_s": min(self._timeout_s, wire.MOST_DEADLINE_S),
        }
        if weights is not None:
            request["weights"] = wire.weights_form(weights)
        if not self._with_verdict:
            request["with_verdict"] = False
        return request

    def _get(self, path: str, kind: type[_Form]) -> _Form:
        return self._exchange("GET", path, None, kind, min(self._timeout_s, 30.0))

    def _post(self, path: str, document: Mapping[str, Any], kind: type[_Form]) -> _Form:
        return self._exchange("POST", path, _encode(document), kind, self._timeout_s)

    def _exchange(self, method: str, path: str, body: bytes | None, kind: type[_Form], timeout_s: float) -> _Form:
        """Send a request until it is answered, for as long as that may succeed."""
        deadline = time.monotonic() + timeout_s
        pause_s = _LEAST_PAUSE_S
        while True:
            try:
                status, headers, content = self._send(method, path, body, deadline)
            except (OSError, http.client.HTTPException) as error:
                failure, wait_s = f"{self._url}: no answer: {error or type(error).__name__}", pause_s
                if not self._has_answered and isinstance(error, ConnectionRefusedError | ssl.SSLError):
                    raise MachineryError(f"{failure}; is `forgetest serve` running there?") from error
            else:
                self._has_answered = True
                if status == 200:
                    return self._decode(content, kind)
                failure = f"{self._url}{path}: {status} {_explanation(content)}"
                if status not in _BUSY:
                    raise UserError(failure)
                wait_s = _retry_after_s(headers, pause_s)
            if time.monotonic() + wait_s > deadline:
                raise MachineryError(failure)
            time.sleep(wait_s * random.uniform(0.8, 1.2))  # noqa: S311  (spreads clients that were refused together)
            pause_s = min(_MOST_PAUSE_S, 2 * pause_s)

    def _send(
        self, method: str, path: str, body: bytes | None, deadline: float
    ) -> tuple[int, Mapping[str, str], bytes]:
        with self._connection(max(1.0, deadline - time.monotonic() + 5)) as connection:
            connection.request(method, self._base + path, body, self._headers)
            response = connection.getresponse()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()

    @contextlib.contextmanager
    def _connection(self, timeout_s: float) -> Iterator[http.client.HTTPConnection]:
        """An idle connection, or a new one; it stays open if nothing goes wrong."""
        with self._lock:
            if self._is_closed:
                raise UserError("this Client is closed; create another one")
            connection = self._idle.pop() if self._idle else None
        if connection is None or getattr(connection, "sock", None) is None:
            kind = http.client.HTTPSConnection if self._is_secure else http.client.HTTPConnection
            connection = kind(self._host, self._port, timeout=timeout_s)
        else:
            connection.sock.settimeout(timeout_s)
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._keep(connection)

    def _keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if self._is_closed:
                connection.close()
            else:
                self._idle.append(connection)

    def _decode(self, content: bytes, kind: type[_Form]) -> _Form:
        try:
            return msgspec.json.decode(content, type=kind)
        except msgspec.MsgspecError as error:
            raise MachineryError(f"{self._url}: not an answer of `forgetest serve`: {error}") from error


def _parts(pairs: Sequence[tuple[str, Case]]) -> Iterator[list[tuple[str, Case]]]:
    """Yield the samples of one request after the other."""
    part: list[tuple[str, Case]] = []
    size = 0
    for pair in pairs:
        if part and (len(part) == _MOST_IN_REQUEST or size + len(pair[0]) > _MOST_CHARACTERS):
            yield part
            part, size = [], 0
        part.append(pair)
        size += len(pair[0])
    if part:
        yield part


def _encode(document: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(document)
    except UnicodeEncodeError:  # a model's answer with half a character; JSON can carry it, UTF-8 cannot
        return json.dumps(document).encode("ascii")


def _explanation(content: bytes) -> str:
    """Return what an error response says."""
    try:
        problem = json.loads(content)
        return ": ".join(str(problem[key]) for key in ("title", "detail") if problem.get(key))
    except (ValueError, AttributeError, TypeError):
        return content[:200].decode(errors="replace")


def _retry_after_s(headers: Mapping[str, str], default: float) -> float:
    try:
        return min(_MOST_PAUSE_S, max(0.0, float(headers["retry-after"])))
    except (KeyError, ValueError):
        return default
