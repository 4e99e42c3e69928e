"""The interfaces of SandboxFusion and ScaleBox: what their clients send, and what they read of the answer."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from forgetest.engine.judging.program_runs import ProgramOutcome
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import load
from forgetest.service.doors.sandbox_fusion import run_response
from forgetest.toolchains.programs import ProgramResult, ProgramRun
from forgetest.verdict import Diagnostic
from running_service import FakeGrader, Running, running
from specimens import a_verdict

STDIO_TEST = {"input": {"stdin": "1"}, "output": {"stdout": "1"}}
HELLO = {"code": "print(input())", "language": "python", "stdin": "hello"}


class FakeRunner(FakeGrader):
    """Echoes its input, and knows only Python."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[ProgramRun] = []

    def run_program(self, code: str, language: str, run: ProgramRun) -> ProgramOutcome:
        self.runs.append(run)
        if language != "python":
            raise UserError(f"no toolchain runs programs in {language}")
        if code == "broken":
            raise MachineryError("no room")
        assert isinstance(run.stdin, bytes)
        return ProgramOutcome(verdict=a_verdict(), result=ProgramResult(ending="exited", stdout=run.stdin))


@pytest.fixture(scope="module")
def grader() -> FakeRunner:
    return FakeRunner()


@pytest.fixture(scope="module")
def service(grader: FakeRunner) -> Iterator[Running]:
    with running(grader, load("quickstart")) as service:
        yield service


def post(service: Running, path: str, document: object) -> tuple[int, Any]:
    request = urllib.request.Request(
        service.url + path, json.dumps(document).encode(), {"content-type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_run_code_answers_as_sandbox_fusion_does(service: Running, grader: FakeRunner) -> None:
    # the request that verl's `call_sandbox_api` sends
    asked = {**HELLO, "compile_timeout": 5, "run_timeout": 7, "memory_limit_MB": 512, "files": {}, "fetch_files": []}
    status, answer = post(service, "/run_code", asked)

    assert status == 200
    assert answer == {
        "status": "Success",
        "message": "",
        "compile_result": None,
        "run_result": {
            "status": "Finished",
            "execution_time": 0.0,
            "return_code": 0,
            "stdout": "hello",
            "stderr": "",
        },
        "executor_pod_name": None,
        "files": {},
    }
    assert (grader.runs[-1].cpu_s, grader.runs[-1].memory_bytes) == (7.0, 512 << 20)


@pytest.mark.parametrize(
    ("further", "says"),
    [
        ({"language": "cpp"}, "no toolchain runs programs in cpp"),
        ({"code": "broken"}, "no room"),
        ({"files": {"a": "YQ=="}}, "does not support `files`"),
        ({"fetch_files": ["a"]}, "does not support `fetch_files`"),
    ],
)
def test_what_is_not_supported_and_what_fails_here_is_an_error_of_the_sandbox(
    service: Running, further: dict[str, object], says: str
) -> None:
    status, answer = post(service, "/run_code", {**HELLO, **further})
    assert (status, answer["status"], answer["run_result"]) == (200, "SandboxError", None)
    assert says in answer["message"]


@pytest.mark.parametrize(
    ("result", "status", "ended", "code"),
    [
        (ProgramResult(ending="exited", code=0), "Success", "Finished", 0),
        (ProgramResult(ending="exited", code=3), "Failed", "Finished", 3),
        (ProgramResult(ending="signalled", code=11), "Failed", "Finished", -11),
        (ProgramResult(ending="cpu_limit", code=9), "Failed", "TimeLimitExceeded", None),
        (ProgramResult(ending="wall_limit", code=9), "Failed", "TimeLimitExceeded", None),
        (ProgramResult(ending="output_limit", code=9), "Failed", "Finished", -9),
    ],
)
def test_every_ending_has_its_status(result: ProgramResult, status: str, ended: str, code: int | None) -> None:
    response = run_response("rust", ProgramOutcome(verdict=a_verdict(), result=result))
    assert response.status == status
    assert response.run_result is not None
    assert response.compile_result is not None
    assert (response.run_result.status, response.run_result.return_code) == (ended, code)


def test_a_program_that_was_not_run_is_an_error_of_the_sandbox() -> None:
    response = run_response("python", ProgramOutcome(verdict=a_verdict(), result=ProgramResult(ending="not_run")))
    assert (response.status, response.run_result) == ("SandboxError", None)


def test_code_that_does_not_compile_fails_where_sandbox_fusion_lets_it_fail() -> None:
    error = Diagnostic(level="error", code="SyntaxError", message="invalid syntax")
    outcome = ProgramOutcome(verdict=replace(a_verdict(), compiled=False, errors=(error,)), result=None)

    python, rust = run_response("python", outcome), run_response("rust", outcome)
    assert python.compile_result is None
    assert python.run_result == rust.compile_result
    assert python.run_result is not None
    assert (python.run_result.return_code, python.run_result.stderr) == (1, "SyntaxError: invalid syntax")
    assert rust.run_result is None


def test_a_submission_to_a_loaded_set_gets_its_grade(service: Running) -> None:
    asked = {"dataset": "quickstart", "id": "python-add", "completion": "```python\nx\n```", "config": {}}
    status, answer = post(service, "/submit", asked)

    assert status == 200
    assert (answer["id"], answer["accepted"], answer["extracted_code"]) == ("python-add", True, "code")
    assert answer["extra"]["forgetest"]["outcome"] == "judged"
    assert answer["extra"]["forgetest"]["verified"] is True


def test_a_sample_that_was_not_judged_says_so_in_every_form(service: Running, grader: FakeRunner) -> None:
    grader.at_once = False
    tests = {"type": "stdin_stdout", "input": ["1", "2"], "output": ["1", "2"], "fn_name": None}
    config = {"language": "python", "provided_data": {"test_cases": tests}}
    door_deadline = service.service._options.deadline_s
    assert door_deadline == 600

    service.service.queue.hand_back()
    status, answer = post(service, "/common_evaluate_batch", {"completion": "x", "config": config})
    service.service.queue._hand_back.clear()
    grader.at_once = True

    assert (status, answer["accepted"]) == (200, False)
    assert [test["exec_info"]["status"] for test in answer["tests"]] == ["SandboxError"] * 2
    assert answer["extra"]["forgetest"]["outcome"] == "unjudged"
    assert answer["extra"]["forgetest"]["score"] is None


def test_the_problems_of_a_batch_may_be_programs_or_calls(service: Running) -> None:
    program = {"type": "stdin_stdout", "input": ["1 2"], "output": ["3"], "fn_name": None}
    call = {"type": "function_call", "input": [[1, 2]], "output": [[3]], "fn_name": "add", "json_input": False}
    as_json = {"type": "function_call", "input": ["1\n2"], "output": ["3"], "fn_name": "add", "json_input": True}
    for tests in (program, call, as_json):
        config = {"language": "python", "provided_data": {"test_cases": tests}, "extra": {"run_all_cases": True}}
        status, answer = post(service, "/common_evaluate_batch", {"completion": "```python\nx\n```", "config": config})
        assert (status, answer["accepted"], answer["id"]) == (200, True, 0)


@pytest.mark.parametrize(
    ("path", "document", "status", "says"),
    [
        ("/submit", {"dataset": "nowhere", "id": 1, "completion": "x", "config": {}}, 400, "no eval class found"),
        ("/submit", {"completion": "x", "config": {"custom_extract_logic": "print()"}}, 422, "outside of the sandbox"),
        (
            "/submit",
            {"completion": "x", "config": {"provided_data": {"test": [{"input": {}, "output": {}}]}}},
            400,
            "config.language field must exist",
        ),
        (
            "/submit",
            {"completion": "x", "config": {"language": "cpp", "provided_data": {"test": [STDIO_TEST]}}},
            422,
            'unknown language "cpp"',
        ),
        ("/submit", {"completion": "x", "config": {"provided_data": {"x": 1}}}, 422, "of no form that we know"),
        ("/common_evaluate_batch", {"completion": "x"}, 422, "test_cases: must be an object"),
        (
            "/common_evaluate_batch",
            {
                "completion": "x",
                "config": {
                    "language": "python",
                    "provided_data": {"test_cases": {"type": "assert", "input": [], "output": []}},
                },
            },
            422,
            "'assert'; stdin_stdout and function_call",
        ),
        (
            "/common_evaluate_batch",
            {
                "completion": "x",
                "config": {
                    "provided_data": {"test_cases": {"input": [], "output": []}},
                    "extra": {"special_judge_program": "x"},
                },
            },
            422,
            "special_judge_program",
        ),
    ],
)
def test_what_a_door_does_not_do_is_said(service: Running, path: str, document: object, status: int, says: str) -> None:
    found, problem = post(service, path, document)
    assert found == status
    assert says in problem["detail"]
