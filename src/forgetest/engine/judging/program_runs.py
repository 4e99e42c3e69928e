"""Programs run on request, without a case: built once, run with any input, in the same sandbox as samples."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from forgetest import language as languages
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.single_flight import SingleFlight
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case
from forgetest.toolchains.programs import Program, ProgramResult, ProgramRun, Programs, without_answers
from forgetest.verdict import Execution, Step, Verdict

_MOST_PROGRAMS = 64
"""Programs that are kept: whoever tests one runs it with one input after the other."""

RunStep = Callable[[Step], Execution]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOutcome:
    """How a program was built, and how it ran."""

    verdict: Verdict
    """The verdict of building it, without tests."""
    result: ProgramResult | None
    """None where it did not compile."""


def programs_of(cases: PreparedCases, case: Case) -> Programs:
    """Return the toolchain of a case whose samples are programs."""
    toolchain = cases.toolchain(case.language)
    if not isinstance(toolchain, Programs):
        raise UserError(
            f"case {case.id}: io: the toolchain of {case.language} does not run programs; "
            "use another language, or tests in a test_file"
        )
    return toolchain


def build_program(cases: PreparedCases, run_step: RunStep, case: Case, code: str) -> Program:
    """Build a sample that is a program."""
    toolchain, prepared = programs_of(cases, case), cases.prepare(case)
    asked = without_answers(case)
    executions: list[Execution] = []
    while isinstance(answer := toolchain.build_program(prepared, asked, code, executions), Step):
        executions.append(run_step(answer))
    return answer


class ProgramRunner:
    """Builds and runs programs. Thread-safe."""

    def __init__(self, cases: PreparedCases, run_step: RunStep) -> None:
        self._cases = cases
        self._run_step = run_step
        self._building: SingleFlight[Program] = SingleFlight()
        self._lock = threading.Lock()
        self._built: OrderedDict[bytes, Program] = OrderedDict()

    def run(self, code: str, language: str, run: ProgramRun) -> ProgramOutcome:
        """Run a program once. Raises UserError where no toolchain runs programs of that language."""
        case = _case(language)
        program = self._program(case, code)
        if not program.verdict.compiled:
            return ProgramOutcome(verdict=program.verdict, result=None)
        [result] = self._run(programs_of(self._cases, case), program, [run])
        return ProgramOutcome(verdict=program.verdict, result=result)

    def _program(self, case: Case, code: str) -> Program:
        encoded = code.encode("utf-8", "surrogatepass")
        key = hashlib.sha256(case.language.encode() + b"\0" + encoded).digest()

        def build() -> Program:
            with self._lock:
                known = self._built.get(key)
                if known is not None:
                    self._built.move_to_end(key)
                    return known
            built = build_program(self._cases, self._checked_run, case, code)
            with self._lock:
                self._built[key] = built
                if len(self._built) > _MOST_PROGRAMS:
                    self._built.popitem(last=False)
            return built

        return self._building.do(key, build)

    def _run(self, toolchain: Programs, program: Program, runs: Sequence[ProgramRun]) -> Sequence[ProgramResult]:
        executions: list[Execution] = []
        while isinstance(answer := toolchain.run_program(program, runs, executions), Step):
            executions.append(self._checked_run(answer))
        return answer

    def _checked_run(self, step: Step) -> Execution:
        execution = self._run_step(step)
        if execution.ended == "signalled" and execution.exit_code == -9:
            raise MachineryError(f"{step.name}: killed from outside, as a machine does that is out of memory")
        return execution


def _case(language: str) -> Case:
    """Return the case under which programs of a language are built: without lints where it can leave them out."""
    found = languages.find(language)
    options = {"lint": False} if any(each.key.name == "lint" for each in found.case_keys) else {}
    case = Case(id="program", name="program", prompt="-", language=language, options=options)
    if "program" not in found.io_forms:
        able = [each.name for each in languages.installed() if "program" in each.io_forms]
        raise UserError(f"no toolchain runs programs in {language}; there are: {', '.join(able)}")
    return case
