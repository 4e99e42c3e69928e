"""The service's own interface: `/v1/grade`, `/v1/prepare`, `/v1/cases`, `/health`, `/metrics`."""

from __future__ import annotations

import asyncio
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from forgetest.errors import UserError
from forgetest.evalset import Case
from forgetest.service import openapi, wire
from forgetest.service.bodies import decode, read_form, read_json
from forgetest.service.case_store import CaseStore
from forgetest.service.grading_queue import Answer, GradingQueue
from forgetest.service.http.messages import HttpError, Request, Response, as_json
from forgetest.service.metrics import CONTENT_TYPE, Metrics, process_gauges
from forgetest.version import __version__

_MOST_LISTED = 1000
_MOST_PREPARING = 2
"""Preparations at once: the threads that they block also take samples."""


class _Kind(msgspec.Struct):
    samples: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


@dataclass(slots=True)
class State:
    """What may change while the service runs."""

    is_stopping: bool = False
    prepared: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """Handlers of the service's own interface."""

    cases: CaseStore
    queue: GradingQueue
    prepare: Callable[[Case], None]
    metrics: Metrics
    deadline_s: float
    """For requests that name none."""
    state: State = field(default_factory=State)
    preparing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MOST_PREPARING))

    async def grade(self, request: Request) -> Response:
        """`POST /v1/grade`."""
        body = await read_json(request)
        if isinstance(decode(body, _Kind).samples, msgspec.UnsetType):
            one = decode(body, wire.GradeOne)
            [grade] = await self._grade([one], {}, one)
            return as_json(grade)
        many = decode(body, wire.GradeMany)
        return as_json(wire.GradesForm(grades=await self._grade(many.samples, many.cases, many)))

    async def _grade(
        self,
        samples: Sequence[wire.SampleForm],
        own_cases: Mapping[str, dict[str, Any]],
        request: wire.GradeOne | wire.GradeMany,
    ) -> list[wire.GradeForm]:
        weights = request.weights
        if weights and not math.isclose(weights.compilation + weights.tests + weights.lint, 1, abs_tol=1e-9):
            raise HttpError(422, "not a request of this kind", "the weights must sum to 1 - at `$.weights`")
        answers = await asyncio.to_thread(self._answers, samples, own_cases, is_one=isinstance(request, wire.GradeOne))
        grades = await self.queue.grade(
            answers, weights=wire.read_weights(weights), deadline_s=request.deadline_s or self.deadline_s
        )
        return [wire.grade_form(grade, with_verdict=request.with_verdict) for grade in grades]

    def _answers(
        self, samples: Sequence[wire.SampleForm], own_cases: Mapping[str, dict[str, Any]], *, is_one: bool
    ) -> list[Answer]:
        for name in own_cases:  # also those that no sample names
            self.cases.find(name, own_cases, f"cases.{name}")
        places = ["case"] if is_one else [f"samples[{number}].case" for number in range(len(samples))]
        return [
            Answer(sample.answer, self.cases.find(sample.case, own_cases, place), sample.as_code)
            for sample, place in zip(samples, places, strict=True)
        ]

    async def prepare_case(self, request: Request) -> Response:
        """`POST /v1/prepare`."""
        form = await read_form(request, wire.PrepareCase)
        case = await asyncio.to_thread(self.cases.find, form.case, {}, "case")
        try:
            async with self.preparing:
                await asyncio.to_thread(self.prepare, case)
        except UserError as error:
            raise HttpError(422, "the case is wrong", str(error)) from error
        return as_json({"prepared": True})

    async def list_cases(self, request: Request) -> Response:
        """`GET /v1/cases`."""
        parameters = request.parameters()
        offset = _number(parameters, "offset", 0, least=0)
        limit = _number(parameters, "limit", _MOST_LISTED, least=1)
        listed = list(self.cases.loaded.items())
        shown = [
            wire.CaseForm(id=name, name=case.name, language=case.language, prompt=case.prompt, tags=case.tags)
            for name, case in listed[offset : offset + min(limit, _MOST_LISTED)]
        ]
        return as_json(wire.CasesForm(cases=shown, total=len(listed)))

    async def health(self, _: Request) -> Response:
        """`GET /health`."""
        form = wire.HealthForm(
            status="stopping" if self.state.is_stopping else "ok",
            version=__version__,
            cases=len(self.cases.loaded),
            prepared=self.state.prepared,
            in_service=self.queue.in_service,
            capacity=self.queue.capacity,
        )
        return as_json(form, 503 if self.state.is_stopping else 200)

    async def show_metrics(self, _: Request) -> Response:
        """`GET /metrics`."""
        gauges = {
            "forgetest_samples_in_service": float(self.queue.in_service),
            "forgetest_queue_capacity": float(self.queue.capacity),
            **process_gauges(),
        }
        return Response(content=self.metrics.text(gauges).encode(), content_type=CONTENT_TYPE)

    async def openapi(self, _: Request) -> Response:
        """`GET /openapi.json`."""
        return Response(content=_openapi())


@functools.cache
def _openapi() -> bytes:
    return msgspec.json.encode(openapi.document())


def _number(parameters: Mapping[str, str], name: str, default: int, *, least: int) -> int:
    given = parameters.get(name)
    if given is None:
        return default
    if not (given.isascii() and given.isdecimal() and len(given) < 10 and int(given) >= least):
        raise HttpError(422, "not a request of this kind", f"?{name}= must be a whole number from {least} up")
    return int(given)
