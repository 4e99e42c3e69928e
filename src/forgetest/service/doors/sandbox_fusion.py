"""SandboxFusion's `/run_code` and `/submit`, as its clients and verl call them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forgetest.datasets.imports import FORMATS, LeftOutError, sandbox_fusion
from forgetest.datasets.imports.rows import Row
from forgetest.engine.judging.program_runs import ProgramOutcome
from forgetest.errors import ForgetestError, UserError
from forgetest.evalset import Case
from forgetest.language import find
from forgetest.service.bodies import read_form
from forgetest.service.case_store import CaseStore
from forgetest.service.doors.forms import CommandResult, RunCodeRequest, RunCodeResponse, RunStatus, SubmitRequest
from forgetest.service.doors.submissions import eval_result, language_of, refuse_unsupported, unsupported
from forgetest.service.grading_queue import Answer, GradingQueue
from forgetest.service.http.messages import HttpError, Request, Response, as_json
from forgetest.service.metrics import Metrics
from forgetest.service.program_queue import ProgramQueue
from forgetest.toolchains.programs import MEMORY_BYTES, ProgramResult, ProgramRun

_INTERPRETED = frozenset({"python"})
"""Languages that SandboxFusion does not compile: a syntax error is one of running."""
_MOST_MEMORY_MB = 4096
_OUTPUT_BYTES = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxFusionDoor:
    """Handlers of SandboxFusion's interface."""

    cases: CaseStore
    queue: GradingQueue
    programs: ProgramQueue
    metrics: Metrics
    deadline_s: float

    async def run_code(self, request: Request) -> Response:
        """`POST /run_code`: run a program, and say how it ended. Nothing is judged."""
        form = await read_form(request, RunCodeRequest)
        response = await self._run(form)
        self.metrics.runs[response.status] = self.metrics.runs.get(response.status, 0) + 1
        return as_json(response)

    async def _run(self, form: RunCodeRequest) -> RunCodeResponse:
        for key, given in (("files", form.files), ("fetch_files", form.fetch_files), ("args", form.args)):
            if given:
                return RunCodeResponse(status="SandboxError", message=f"forgetest does not support `{key}`")
        run = ProgramRun(
            stdin=(form.stdin or "").encode("utf-8", "surrogatepass"),
            cpu_s=form.run_timeout,
            memory_bytes=_memory_bytes(form.memory_limit_mb),
            output_bytes=_OUTPUT_BYTES,
        )
        try:
            outcome = await self.programs.run(form.code, form.language, run)
        except (ForgetestError, OSError) as error:
            return RunCodeResponse(status="SandboxError", message=str(error))
        return run_response(form.language, outcome)

    async def submit(self, request: Request) -> Response:
        """`POST /submit`: grade an answer to a case of a loaded set, or to a problem that the request brings along."""
        form = await read_form(request, SubmitRequest)
        refuse_unsupported(form)
        case = await asyncio.to_thread(self._case, form)
        [grade] = await self.queue.grade([Answer(form.completion, case)], deadline_s=self.deadline_s)
        return as_json(eval_result(form, grade))

    def _case(self, form: SubmitRequest) -> Case:
        known = self.cases.loaded.get(f"{form.dataset}/{form.id}")
        if known is not None:
            return known
        data = form.config.provided_data
        if isinstance(data, list):
            data = next((row for row in data if isinstance(row, dict) and row.get("id") == form.id), None)
        if not isinstance(data, dict):
            detail = f"no eval class found for dataset {form.dataset}: load the set, or send config.provided_data"
            raise HttpError(400, "no such case", detail)
        table = {**_table(form, data), "timeout_secs": form.config.run_timeout or 10.0}
        return self.cases.find(table, {}, "config.provided_data")


def _memory_bytes(megabytes: int) -> int:
    return MEMORY_BYTES if megabytes <= 0 else min(megabytes, _MOST_MEMORY_MB) << 20


def _table(form: SubmitRequest, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the case of a row of SandboxFusion's data sets."""
    test = _decoded(data.get("test"))
    if isinstance(test, list):
        return {"language": language_of(form), "io": {"tests": [_stdio_test(each) for each in test]}}
    row = sandbox_fusion.original(Row(values=data, file="config.provided_data"))
    found = next((each for each in FORMATS.values() if each.recognises(row)), None)
    if found is None:
        raise unsupported("config.provided_data", "tests of no form that we know")
    try:
        table = dict(found.convert(row).case)
    except LeftOutError as error:
        raise unsupported("config.provided_data", str(error)) from error
    except UserError as error:
        raise HttpError(422, "the problem is wrong", str(error)) from error
    if found.any_language:
        table["language"] = language_of(form)
    if any(each.key.name == "lint" for each in find(table["language"]).case_keys):
        table["lint"] = False
    return table


def _decoded(value: Any) -> Any:
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _stdio_test(test: Any) -> dict[str, str]:
    given = test.get("input") if isinstance(test, dict) else None
    expected = test.get("output") if isinstance(test, dict) else None
    if not isinstance(given, dict) or not isinstance(expected, dict):
        raise HttpError(422, "the problem is wrong", "test: must be a list of {input: {stdin}, output: {stdout}}")
    if set(given) - {"stdin"} or set(expected) - {"stdout"}:
        raise unsupported("test", "files; only stdin and stdout")
    texts = {"input": given.get("stdin", ""), "output": expected.get("stdout", "")}
    return {key: text if isinstance(text, str) else json.dumps(text) for key, text in texts.items()}


def run_response(language: str, outcome: ProgramOutcome) -> RunCodeResponse:
    """Return how a program was built and ran, as SandboxFusion says it."""
    verdict = outcome.verdict
    errors = "\n".join(f"{each.code or each.level}: {each.message}" for each in verdict.errors)
    compiled = CommandResult(
        status="Finished",
        execution_time=verdict.compile_ms / 1000,
        return_code=0 if verdict.compiled else 1,
        stdout="",
        stderr=errors,
    )
    if outcome.result is None:
        if language in _INTERPRETED:
            return RunCodeResponse(status="Failed", run_result=compiled)
        return RunCodeResponse(status="Failed", compile_result=compiled)
    status, message, ran = _ran(outcome.result)
    return RunCodeResponse(
        status=status,
        message=message,
        compile_result=None if language in _INTERPRETED else compiled,
        run_result=ran,
    )


def _ran(result: ProgramResult) -> tuple[RunStatus, str, CommandResult | None]:
    if result.ending in ("littered", "not_run"):
        return "SandboxError", f"the program was not run: {result.ending}", None
    timed_out = result.ending in ("cpu_limit", "wall_limit")
    stderr = result.stderr
    if result.ending == "output_limit":
        stderr += f"\nstopped: it printed more than {_OUTPUT_BYTES} bytes"
    code = result.code if result.ending == "exited" else None if timed_out else -(result.code or 9)
    ran = CommandResult(
        status="TimeLimitExceeded" if timed_out else "Finished",
        execution_time=result.wall_ms / 1000,
        return_code=code,
        stdout=result.stdout.decode("utf-8", "replace"),
        stderr=stderr,
    )
    return "Success" if code == 0 else "Failed", "", ran
