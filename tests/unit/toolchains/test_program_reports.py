"""Plans and reports of launches of programs, in every language of ours."""

import base64
import json
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from forgetest.errors import MachineryError
from forgetest.toolchains.programs import (
    OUTPUT_BYTES,
    HostFile,
    InputMounts,
    ProgramResult,
    ProgramRun,
    launch_output_bytes,
)
from forgetest.toolchains.python import programs as python_programs
from forgetest.toolchains.rust import programs as rust_programs
from forgetest.verdict import Execution
from specimens import a_verdict

RUNS = [ProgramRun(), ProgramRun(), ProgramRun()]


def execution(*lines: str, exit_code: int = 0) -> Execution:
    return Execution(step="run", ended="exited", exit_code=exit_code, stdout="\n".join([*lines, ""]).encode())


def python_line(**given) -> str:
    plain = {"ending": "exited", "code": 0, "stderr": "", "wall_ms": 2.0, "cpu_ms": 1.0}
    return json.dumps({**plain, **given, "stdout": base64.b64encode(given.get("stdout", b"")).decode()})


def read_python(found: Execution, runs: Sequence[ProgramRun]) -> list[ProgramResult]:
    """Give a report to what asked for the launch; in it, an empty line ends each program."""
    tools = SimpleNamespace(
        interpreter=("python",), packages=SimpleNamespace(modules=frozenset()), mounts=(), environment={}
    )
    prepared: Any = SimpleNamespace(tools=tools, runtime="runtime")
    program = python_programs.PythonProgram(verdict=a_verdict(), prepared=prepared, code="")
    steps = python_programs.run(program, runs)
    next(steps)
    with pytest.raises(StopIteration) as ended:
        steps.send(replace(found, stdout=found.stdout.replace(b"end\n", b"\nend\n")))
    results: list[ProgramResult] = ended.value.value
    return results


PARTS = [
    (read_python, python_line(stdout=b"a\xff"), json.dumps({"ending": "littered", "stdout": ""})),
    (rust_programs.read_results, "exited 0 2000 1000 x61ff x", "littered 0 0 0 - -"),
]


@pytest.mark.parametrize(("read", "line", "_littered"), PARTS)
def test_a_result_has_the_bytes_that_were_printed(read, line, _littered):
    printed = ProgramResult(ending="exited", stdout=b"a\xff", wall_ms=2.0, cpu_ms=1.0)
    assert read(execution("ready", line, "end"), RUNS[:1]) == [printed]


@pytest.mark.parametrize(("read", "line", "littered"), PARTS)
def test_runs_that_are_missing_were_left_out_for_a_reason(read, line, littered):
    after_time_outs = read(execution("ready", line, "end"), RUNS)
    assert [result.ending for result in after_time_outs] == ["exited", "not_run", "not_run"]
    after_litter = read(execution("ready", line, littered, "end"), RUNS)
    assert [result.ending for result in after_litter] == ["exited", "littered", "littered"]


@pytest.mark.parametrize(("read", "line", "_littered"), PARTS)
@pytest.mark.parametrize("broken", [(), ("ready",), ("end",), ("ready", "LINE")])
def test_an_incomplete_report_is_a_failure_of_ours(read, line, _littered, broken):
    lines = [line if each == "LINE" else each for each in broken]
    with pytest.raises(MachineryError, match="did not finish"):
        read(execution(*lines), RUNS)
    with pytest.raises(MachineryError, match="did not finish"):
        read(execution("ready", line, "end", exit_code=1), RUNS)


@pytest.mark.parametrize("read", [part[0] for part in PARTS])
def test_a_launch_that_used_up_its_memory_is_the_samples_fault(read):
    ended = Execution(step="run", ended="memory_limit", exit_code=-9)
    assert {result.ending for result in read(ended, RUNS)} == {"signalled"}


def test_a_file_that_several_tests_use_is_mounted_once():
    mounts = InputMounts("/in")
    names = [mounts.name(HostFile(path=path)) for path in ("/a", "/b", "/a")]
    assert names == ["0", "1", "0"]
    assert [(mount.source, mount.target) for mount in mounts.mounts] == [("/a", "/in/0"), ("/b", "/in/1")]


def test_what_all_runs_may_print_grows_only_with_what_is_expected():
    few, many = [ProgramRun()] * 2, [ProgramRun()] * 1000
    assert launch_output_bytes(few) == launch_output_bytes(many)
    large = ProgramRun(output_bytes=5 * OUTPUT_BYTES)
    assert launch_output_bytes([*few, large]) == launch_output_bytes(few) + 5 * OUTPUT_BYTES
