"""Judges samples by input and output: runs them in the sandbox, and compares what they print out here.

The toolchain builds and runs the program, and is never told what is expected. So the sample shares no process, file or
memory with what decides about it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from forgetest.checkers import texts, values
from forgetest.checkers.difference import Difference, Tolerance
from forgetest.engine.judging.checker_program import Checker, Question, checker_case, require_compiled
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.program_runs import RunStep, build_program, programs_of
from forgetest.evalset import Case
from forgetest.evalset.io_tests import CheckerProgram, DataFile, IoTest, IoTests
from forgetest.toolchains.programs import (
    MEMORY_BYTES,
    OUTPUT_BYTES,
    TIME_OUTS,
    Content,
    HostFile,
    Program,
    ProgramResult,
    ProgramRun,
    Programs,
)
from forgetest.toolchains.timing import TIMES_THE_REFERENCE, run_with_fair_limits
from forgetest.verdict import Execution, Step, TestOutcome, Verdict

_MOST_SHOWN_OUTPUT = 2000
_MOST_SHOWN_ERRORS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class IoReport:
    """Outcomes of the tests of one program."""

    outcomes: tuple[TestOutcome, ...]
    wall_ms: float = 0.0

    def with_(self, again: IoReport, indices: Sequence[int]) -> IoReport:
        """Return this report, with the outcomes of another for the tests at these indices."""
        pairs = enumerate(zip(self.outcomes, again.outcomes, strict=True))
        outcomes = tuple(new if index in indices else old for index, (old, new) in pairs)
        return IoReport(outcomes=outcomes, wall_ms=self.wall_ms + again.wall_ms)


BuiltCheckers = dict[CheckerProgram, Program]
"""Checkers that were built before: once for all samples of a judge."""


class IoJudging:
    """Judges one sample. The executions that led to its verdict are kept without their output."""

    def __init__(self, cases: PreparedCases, run_step: RunStep, case: Case, checkers: BuiltCheckers) -> None:
        self._cases = cases
        self._run_step = run_step
        self._case = case
        self._checkers = checkers
        assert case.io is not None
        self._io: IoTests = case.io
        self.executions: list[Execution] = []

    def judge(
        self, code: str, built: Program | None = None, first_results: Sequence[ProgramResult] | None = None
    ) -> Verdict:
        """Return the verdict on a sample.

        `built`, `first_results`: the program and how its first run went, where it shared them with others.
        """
        toolchain = programs_of(self._cases, self._case)
        program = built or self._build(self._case, code)
        verdict = replace(program.verdict, provenance=replace(program.verdict.provenance, tests=_tests_hash(self._io)))
        if not verdict.compiled:
            first = verdict.errors[0].message if verdict.errors else "it did not compile"
            failed = TestOutcome(name="", status="failed", message=first)
            tests = (replace(failed, name=test.name, visible=test.visible) for test in self._io.tests)
            return replace(verdict, tests=tuple(tests))
        program_tests = _ProgramTests(toolchain, program, self._io, self._checker(), first_results)
        report = self._drive(
            run_with_fair_limits(
                program_tests.run,
                self._case.timeout_secs,
                lambda indices: self._reference_cpu_s(program_tests, code, indices),
            )
        )
        return replace(verdict, tests=report.outcomes, test_ms=report.wall_ms)

    def _build(self, case: Case, code: str) -> Program:
        return build_program(self._cases, self._run, case, code)

    def _checker(self) -> Checker | None:
        """Return the case's own checker, if it has one."""
        program = self._io.checker_program
        if program is None:
            return None
        case = checker_case(self._case, program)
        toolchain = programs_of(self._cases, case)
        if program not in self._checkers:
            self._checkers[program] = require_compiled(self._build(case, program.code), self._case)
        return Checker(toolchain, self._checkers[program], self._case)

    def _reference_cpu_s(
        self, tests: _ProgramTests, code: str, indices: Sequence[int]
    ) -> Generator[Step, Execution, float]:
        """Return the most CPU time that the reference solution takes for one of these tests; 0 if that is not known."""
        solution = self._case.reference_solution
        if solution is None or solution.strip() == code.strip():
            return 0.0
        program = self._build(self._case, solution)
        if not program.verdict.compiled:
            return 0.0
        report = yield from replace(tests, program=program, first_results=None).run(
            cpu_s=self._case.timeout_secs * TIMES_THE_REFERENCE, only=indices
        )
        outcomes = [report.outcomes[index] for index in indices]
        return max((outcome.cpu_ms for outcome in outcomes if outcome.status == "passed"), default=0.0) / 1000

    def _drive(self, script: Generator[Step, Execution, IoReport]) -> IoReport:
        try:
            step = next(script)
            while True:
                step = script.send(self._run(step))
        except StopIteration as finished:
            report: IoReport = finished.value
            return report

    def _run(self, step: Step) -> Execution:
        execution = self._run_step(step)
        # what is kept until the verdict is there must not grow with what samples print
        self.executions.append(replace(execution, stdout=b"", stderr=b"", outputs={}))
        return execution


@dataclass(frozen=True, slots=True)
class _ProgramTests:
    """The tests of a program that was built."""

    toolchain: Programs
    program: Program
    io: IoTests
    checker: Checker | None
    first_results: Sequence[ProgramResult] | None = None
    """How the first run of all tests went, where it was shared."""

    def run(
        self, *, cpu_s: float, only: Sequence[int] | None = None, alone: bool = False
    ) -> Generator[Step, Execution, IoReport]:
        """Run the tests, or those at some indices, and compare their outputs."""
        indices = [index for index in range(len(self.io.tests)) if only is None or index in only]
        if only is None and self.first_results is not None:
            answer, wall_ms = self.first_results, sum(result.wall_ms for result in self.first_results)
        else:
            answer, wall_ms = yield from self._launch(indices, cpu_s, alone=alone)
        missing = ProgramResult(ending="not_run")
        results = {**dict.fromkeys(range(len(self.io.tests)), missing), **dict(zip(indices, answer, strict=True))}
        messages = yield from self._messages(results)
        pairs = enumerate(self.io.tests)
        outcomes = tuple(_outcome(test, results[index], messages[index]) for index, test in pairs)
        return IoReport(outcomes=outcomes, wall_ms=wall_ms)

    def _launch(
        self, indices: Sequence[int], cpu_s: float, *, alone: bool
    ) -> Generator[Step, Execution, tuple[Sequence[ProgramResult], float]]:
        every = program_runs(self.io, cpu_s)
        runs = [every[index] for index in indices]
        executions: list[Execution] = []
        while isinstance(answer := self.toolchain.run_program(self.program, runs, executions), Step):
            executions.append((yield replace(answer, alone=alone or answer.alone)))
        return answer, sum(execution.wall_ms for execution in executions)

    def _messages(self, results: Mapping[int, ProgramResult]) -> Generator[Step, Execution, dict[int, str | None]]:
        """Return for each test why it failed, or None where it passed."""
        messages = {index: _failure(result) for index, result in results.items()}
        finished = [index for index, message in messages.items() if message is None]
        if self.checker is None:
            for index in finished:
                test = self.io.tests[index]
                difference = compare(self.io, _read(test.output), results[index].stdout)
                messages[index] = None if difference is None else _describe(difference, test)
            return messages
        questions = [_question(self.io.tests[index], results[index]) for index in finished]
        return messages | dict(zip(finished, (yield from self.checker.ask(questions)), strict=True))


def program_runs(io: IoTests, cpu_s: float) -> list[ProgramRun]:
    """Return the run of a program for each test."""
    memory_bytes = MEMORY_BYTES if io.memory_mb is None else io.memory_mb << 20
    return [
        ProgramRun(
            stdin=_content(test.input),
            call=io.call,
            cpu_s=cpu_s,
            memory_bytes=memory_bytes,
            output_bytes=max(OUTPUT_BYTES, 2 * _size(test.output) + (1 << 20)),
        )
        for test in io.tests
    ]


def _content(given: str | DataFile) -> Content:
    return HostFile(path=given.path) if isinstance(given, DataFile) else given.encode(errors="surrogatepass")


def _size(given: str | DataFile) -> int:
    return given.size if isinstance(given, DataFile) else 4 * len(given)


def _read(given: str | DataFile) -> bytes:
    return Path(given.path).read_bytes() if isinstance(given, DataFile) else given.encode(errors="surrogatepass")


def _question(test: IoTest, result: ProgramResult) -> Question:
    return Question(test=test.name, input=_content(test.input), output=result.stdout, answer=_content(test.output))


def _outcome(test: IoTest, result: ProgramResult, message: str | None) -> TestOutcome:
    return TestOutcome(
        name=test.name,
        status="passed" if message is None else "failed",
        message=message or "",
        stdout="" if message is None else result.stdout[:_MOST_SHOWN_OUTPUT].decode(errors="replace"),
        wall_ms=result.wall_ms,
        cpu_ms=result.cpu_ms,
        timed_out=TIME_OUTS.get(result.ending),
        visible=test.visible,
    )


def compare(io: IoTests, expected: bytes, found: bytes) -> Difference | None:
    """Compare an output by the case's checker."""
    tolerance = Tolerance(absolute=io.absolute_tolerance, relative=io.relative_tolerance)
    if io.call is not None:
        return values.json_values(expected, found, tolerance if io.checker == "floats" else None)
    match io.checker:
        case "exact":
            return texts.exact(expected, found)
        case "floats":
            return texts.floats(expected, found, tolerance)
        case "unordered_lines":
            return texts.unordered_lines(expected, found)
    return texts.tokens(expected, found)


def _describe(difference: Difference, test: IoTest) -> str:
    """Return the message of a wrong output. That of a hidden test does not say what is expected."""
    if not test.visible:
        return f"wrong output at {difference.place}: {difference.found}"
    return f"wrong output at {difference.place}: expected {difference.expected}, found {difference.found}"


def _failure(result: ProgramResult) -> str | None:
    """Return why a program did not get to its end, or None where it did."""
    match result.ending:
        case "cpu_limit":
            return "stopped: it used up its CPU time"
        case "wall_limit":
            return "stopped: it waited, and computed nothing, for longer than it may run"
        case "output_limit":
            return "stopped: it printed more than it may"
        case "not_run":
            return "not run: several tests before it ran out of time"
        case "littered":
            return "not run: a test before it left files that cannot be removed"
        case "signalled":
            names = {6: "aborted", 9: "killed", 11: "segmentation fault (or a stack that overflowed)"}
            return _with_errors(f"ended by a signal: {names.get(result.code, result.code)}", result)
    return None if result.code == 0 else _with_errors(f"exit code {result.code}", result)


def _with_errors(message: str, result: ProgramResult) -> str:
    errors = result.stderr.strip()[-_MOST_SHOWN_ERRORS:]
    return f"{message}\n{errors}" if errors else message


def _tests_hash(io: IoTests) -> str:
    content = msgspec.to_builtins(io)
    for test in content["tests"]:
        for side in ("input", "output"):
            if isinstance(test[side], dict):
                test[side] = test[side]["sha256"]
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()
