"""The contract of a toolchain that runs programs (`[cases.io]`), as tests.

class TestLuaPrograms(ProgramsContract):
    specimen = ProgramSpecimen(language="lua", ...)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from forgetest import config
from forgetest import language as languages
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case
from forgetest.evalset.io_tests import CheckerProgram, DataFile, IoTest, IoTests
from forgetest.executors import JudgeTask
from forgetest.sandboxes.factory import open_sandbox
from forgetest.verdict import Verdict

_TESTS = (
    IoTest(name="small", visible=True, input="1 2\n", output="3\n"),
    IoTest(name="negative", input="-5 2\n4", output="1\n"),
    IoTest(name="large", input="100 200", output="300"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramSpecimen:
    """Programs of one language for one small task: read whole numbers, and print their sum."""

    language: str
    right: str
    wrong: str
    """Prints a number that is one too large where the sum is above 100."""
    broken: str
    """Does not compile, or cannot be parsed."""
    exits: str
    """Prints the right sum, and then exits with code 3."""
    endless: str
    """Prints the right sum, and then computes without end where the sum is above 100."""
    floods: str
    """Prints without end."""
    littering: str
    """Prints the right sum if the current folder is empty, and leaves a file there."""
    silent_child: str | None = None
    """Starts another process, if it can, that lives on; and prints the right sum. None where it cannot be written."""

    def case(self, **given: Any) -> Case:
        """Return the case with tests of the task."""
        io = IoTests(**{"tests": _TESTS, **given})
        return Case(id="-", name="-", prompt="-", language=self.language, timeout_secs=1.0, io=io)


class ProgramsContract:
    """What every toolchain with programs does. Subclass it as `Test…`, and give it a specimen."""

    specimen: ClassVar[ProgramSpecimen]

    @pytest.fixture(scope="class")
    @classmethod
    def judge(cls) -> Iterator[Judge]:
        """Judges programs of the language in the default sandbox; skips where its tools are missing."""
        try:
            sandbox = open_sandbox("bubblewrap")
        except (UserError, MachineryError) as error:
            pytest.skip(str(error))
        steps = StepRunner(sandbox, config.cache_folder(), config.host_environment())
        cases = PreparedCases(steps)
        try:
            cases.prepare(cls.specimen.case())
        except UserError as error:
            pytest.skip(str(error))
        yield Judge(steps, cases, "bubblewrap")
        sandbox.close()

    def _judge(self, judge: Judge, code: str, **given: Any) -> Verdict:
        [[judged]] = judge.judge([JudgeTask(number=0, case=self.specimen.case(**given), code=code)])
        assert judged.verdict is not None, f"unjudged: {judged.reason}"
        return judged.verdict

    def test_the_language_says_that_it_has_programs(self) -> None:
        """Eval sets ask it."""
        assert "program" in languages.find(self.specimen.language).io_forms

    def test_a_right_program_passes_every_test_and_is_verified(self, judge: Judge) -> None:
        """Outcomes come in the order of the case."""
        verdict = self._judge(judge, self.specimen.right)
        assert [(test.name, test.status) for test in verdict.tests] == [
            (test.name, "passed")
            for test in self.specimen.case().io.tests  # type: ignore[union-attr]
        ]
        assert verdict.verified
        assert verdict.lints == ()
        assert verdict.provenance.tests

    def test_a_wrong_output_fails_the_test_and_a_hidden_test_does_not_say_what_is_expected(self, judge: Judge) -> None:
        """The others pass."""
        verdict = self._judge(judge, self.specimen.wrong)
        assert [test.status for test in verdict.tests] == ["passed", "passed", "failed"]
        assert verdict.tests[2].message == "wrong output at token 1: 301"
        assert verdict.tests[2].stdout.strip() == "301"

    def test_a_program_that_does_not_compile_fails_every_test(self, judge: Judge) -> None:
        """The error is in the verdict."""
        verdict = self._judge(judge, self.specimen.broken)
        assert not verdict.compiled
        assert verdict.errors[0].message
        assert verdict.errors[0].spans
        assert {test.status for test in verdict.tests} == {"failed"}

    def test_an_exit_code_fails_a_test_whatever_was_printed(self, judge: Judge) -> None:
        """The message names it."""
        verdict = self._judge(judge, self.specimen.exits)
        assert {(test.status, test.message.split("\n")[0]) for test in verdict.tests} == {("failed", "exit code 3")}

    def test_a_program_that_does_not_end_is_stopped_by_its_cpu_time(self, judge: Judge) -> None:
        """The other tests pass."""
        verdict = self._judge(judge, self.specimen.endless)
        assert [test.status for test in verdict.tests] == ["passed", "passed", "failed"]
        assert verdict.tests[2].timed_out == "cpu"
        assert "CPU time" in verdict.tests[2].message

    def test_a_program_that_prints_without_end_is_stopped(self, judge: Judge) -> None:
        """And fails."""
        verdict = self._judge(judge, self.specimen.floods)
        assert {test.status for test in verdict.tests} == {"failed"}
        assert {test.timed_out for test in verdict.tests} == {None}

    def test_a_run_finds_nothing_of_an_earlier_one(self, judge: Judge) -> None:
        """Its folder is empty."""
        assert {test.status for test in self._judge(judge, self.specimen.littering).tests} == {"passed"}

    def test_a_process_that_lives_on_does_not_hold_up_the_tests(self, judge: Judge) -> None:
        """It is ended with the run."""
        if self.specimen.silent_child is None:
            pytest.skip(f"{self.specimen.language} has no such program")
        assert len(self._judge(judge, self.specimen.silent_child).tests) == len(_TESTS)

    def test_an_input_may_be_a_file_beside_the_eval_set(self, judge: Judge, tmp_path: Path) -> None:
        """So may the expected output."""
        numbers = list(range(20_000))
        files = {"in": "\n".join(map(str, numbers)), "out": str(sum(numbers))}
        given = {}
        for name, content in files.items():
            (tmp_path / name).write_text(content)
            given[name] = DataFile(name=name, sha256="", size=len(content), path=str(tmp_path / name))
        tests = (IoTest(name="file", input=given["in"], output=given["out"]),)
        assert [test.status for test in self._judge(judge, self.specimen.right, tests=tests).tests] == ["passed"]

    def test_many_tests_of_a_program_are_run(self, judge: Judge) -> None:
        """Two hundred of them; in one launch, where the toolchain has a launcher of its own."""
        tests = tuple(IoTest(name=f"{n}", input=f"{n} {n}", output=f"{2 * n}") for n in range(200))
        assert {test.status for test in self._judge(judge, self.specimen.right, tests=tests).tests} == {"passed"}

    def test_a_program_of_the_language_can_be_a_checker(self, judge: Judge) -> None:
        """A checker that gives no verdict leaves the sample unjudged."""
        program = CheckerProgram(language=self.specimen.language, code=self.specimen.right)
        case = self.specimen.case(checker="program", checker_program=program)
        [[judged]] = judge.judge([JudgeTask(number=0, case=case, code=self.specimen.right)])
        assert judged.verdict is None
        assert "checker" in (judged.reason or "")
