"""ScaleBox's `/common_evaluate_batch`: one answer, tested with many inputs in one request.

Quoted from ScaleBox's README and `sandbox/server/online_judge_api.py` (commit 745c00f).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forgetest.evalset import Case
from forgetest.service.bodies import read_form
from forgetest.service.case_store import CaseStore
from forgetest.service.doors.forms import SubmitRequest
from forgetest.service.doors.submissions import TestInfo, eval_result, language_of, refuse_unsupported, unsupported
from forgetest.service.grading_queue import Answer, GradingQueue
from forgetest.service.http.messages import HttpError, Request, Response, as_json


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleBoxDoor:
    """Handlers of ScaleBox's interface."""

    cases: CaseStore
    queue: GradingQueue
    deadline_s: float

    async def common_evaluate_batch(self, request: Request) -> Response:
        """`POST /common_evaluate_batch`."""
        form = await read_form(request, SubmitRequest)
        refuse_unsupported(form)
        case, tests = await asyncio.to_thread(self._case, form)
        [grade] = await self.queue.grade([Answer(form.completion, case)], deadline_s=self.deadline_s)
        return as_json(eval_result(form, grade, tests))

    def _case(self, form: SubmitRequest) -> tuple[Case, TestInfo]:
        data = form.config.provided_data
        given = data.get("test_cases") if isinstance(data, dict) else None
        if not isinstance(given, dict):
            raise HttpError(422, "not a request of this kind", "config.provided_data.test_cases: must be an object")
        if form.config.extra.get("special_judge_program"):
            raise unsupported("config.extra.special_judge_program", "serve a case with a `checker_program` instead")
        io, tests = _tests(given)
        table = {"language": language_of(form), "io": io, "timeout_secs": form.config.run_timeout or 10.0}
        return self.cases.find(table, {}, "config.provided_data"), tests


def _tests(given: Mapping[str, Any]) -> tuple[dict[str, Any], TestInfo]:
    """Return the tests as those of a case, and as the answer repeats them."""
    inputs, outputs, function = given.get("input"), given.get("output"), given.get("fn_name")
    kind = given.get("type") or ("function_call" if function else "stdin_stdout")
    if not isinstance(inputs, list) or not isinstance(outputs, list) or len(inputs) != len(outputs):
        raise HttpError(422, "not a request of this kind", "test_cases: input and output must be lists of one length")
    pairs = list(zip(inputs, outputs, strict=True))
    if kind == "stdin_stdout":
        texts = [(_text(each), _text(expected)) for each, expected in pairs]
        tests = [{"input": each, "output": expected} for each, expected in texts]
        return {"tests": tests}, [{"input": {"stdin": each}, "output": {"stdout": out}} for each, out in texts]
    if kind == "function_call" and isinstance(function, str):
        calls = [_call(each, expected, is_json=given.get("json_input") is True) for each, expected in pairs]
        infos = [{"type": kind, "fn_name": function, "input": each, "output": [out]} for each, out in calls]
        return {"call": function, "tests": [{"arguments": each, "returns": out} for each, out in calls]}, infos
    raise unsupported("test_cases.type", f"{kind!r}; stdin_stdout and function_call (with fn_name) are")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _call(given: Any, expected: Any, *, is_json: bool) -> tuple[list[Any], Any]:
    """Return the arguments and the result of a call: lists, or as JSON with a line per argument."""
    if is_json and isinstance(given, str):
        try:
            return [json.loads(line) for line in given.split("\n")], json.loads(expected)
        except (ValueError, TypeError) as error:
            raise HttpError(422, "not a request of this kind", f"test_cases: json_input: {error}") from error
    if not isinstance(given, list) or not isinstance(expected, list) or len(expected) != 1:
        raise HttpError(
            422, "not a request of this kind", "test_cases: a call needs a list of arguments, and a list of one result"
        )
    return given, expected[0]
