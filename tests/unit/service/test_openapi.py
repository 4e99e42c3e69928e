from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from forgetest.engine.judging.program_runs import ProgramOutcome
from forgetest.evalset import load
from forgetest.service import openapi, wire
from forgetest.toolchains.programs import ProgramResult, ProgramRun
from running_service import CORRECT, FakeGrader, Running, running
from specimens import a_verdict

TOKEN = "a-token-of-sixteen-or-more"


def validator(name: str) -> Draft202012Validator:
    schemas = openapi.document()["components"]["schemas"]
    text = json.dumps({"$ref": f"#/$defs/{name}", "$defs": schemas}).replace("#/components/schemas/", "#/$defs/")
    return Draft202012Validator(json.loads(text))


def test_a_grade_fits_its_schema() -> None:
    form = json.loads(msgspec.json.encode(wire.grade_form(CORRECT, with_verdict=True)))
    validator("GradeForm").validate(form)
    assert not validator("GradeForm").is_valid({**form, "outcome": "failed"})


@pytest.mark.parametrize(
    ("body", "is_valid"),
    [
        ({"case": "quickstart/add", "answer": ""}, True),
        ({"case": {"language": "python", "expectations": {"test_file": "x"}}, "answer": "", "as_code": True}, True),
        ({"case": {"promt": "x"}, "answer": ""}, False),
        ({"answer": ""}, False),
        ({"case": "x", "answer": "", "deadline_s": 0}, False),
    ],
)
def test_requests_are_described_as_they_are_decoded(body: object, is_valid: bool) -> None:
    assert validator("GradeOne").is_valid(body) is is_valid


def test_every_path_of_the_service_is_described() -> None:
    with running(FakeGrader()) as service:
        application = service.service._server._handler
        found = {path: {method.lower() for method in handlers} for path, handlers in application.routes.items()}
    described = {path: set(operations) for path, operations in openapi.document()["paths"].items()}
    assert found == described


class FakeRunner(FakeGrader):
    def run_program(self, code: str, language: str, run: ProgramRun) -> ProgramOutcome:
        return ProgramOutcome(verdict=a_verdict(), result=ProgramResult(ending="exited"))


@pytest.fixture
def service() -> Iterator[Running]:
    with running(FakeRunner(), load("quickstart"), tokens=[TOKEN]) as service:
        yield service


@pytest.mark.slow
def test_schemathesis_finds_no_fault(service: Running, tmp_path: Path) -> None:
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        f"{service.url}/openapi.json",
        *("--header", f"Authorization: Bearer {TOKEN}"),
        *("--checks", "all", "--exclude-checks", "positive_data_acceptance"),
        *("--max-examples", "10", "--seed", "1", "--no-color"),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert ran.returncode == 0, ran.stdout[-8000:]
    assert {event["event"] for event in service.events} <= {"listening", "request", "abandoned"}, service.events[-3:]
