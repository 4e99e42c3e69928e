"""Groups of samples: what they share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from forgetest.engine.judging.confirmation import has_failed
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask
from forgetest.testing.fakes import FakeSandbox, FakeToolchain
from forgetest.toolchains import PreparedSample
from forgetest.verdict import Execution, Step, Verdict
from grading import judge_group, judge_with
from specimens import a_case, a_verdict

CASE = a_case()


class Sociable(FakeToolchain):
    """Judges together whatever does not say that it wants to be alone."""

    def together(
        self, samples: Sequence[PreparedSample], executions: Sequence[Execution]
    ) -> Step | list[Verdict | None]:
        if not executions:
            return Step(name="together", argv=tuple(sample.code for sample in samples))
        return [
            None if "alone" in sample.code else a_verdict(failed="wrong" in sample.code, compile_ms=1.0)
            for sample in samples
        ]


def judged_together(judge: Judge, *texts: str, case: Case = CASE) -> dict[str, Judged]:
    return dict(zip(texts, judge_group(judge, [(text, case) for text in texts]), strict=True))


def test_samples_that_come_together_share_and_the_rest_is_judged_alone(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judge = judge_with(StepRunner(sandbox, tmp_path, {}), "fake", Sociable())

    found = judged_together(judge, "fn a() {}", "fn alone() {}", "fn wrong() {}")

    assert [step.name for step in sandbox.steps] == ["together", "judge"]
    assert sandbox.steps[1].argv == ("fn alone() {}",)
    assert [len(each.verdict.tests) for each in found.values() if each.verdict] == [4, 4, 5]
    assert {each.verdict.provenance.sandbox for each in found.values() if each.verdict} == {"fake"}


def test_without_sharing_each_sample_is_judged_separately(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judge = judge_with(StepRunner(sandbox, tmp_path, {}), "fake", Sociable(), sharing=False)
    judged_together(judge, "fn a() {}", "fn b() {}")

    assert [step.name for step in sandbox.steps] == ["judge", "judge"]


class Unfair(Sociable):
    """Lets every sample that shares fail."""

    def together(
        self, samples: Sequence[PreparedSample], executions: Sequence[Execution]
    ) -> Step | list[Verdict | None]:
        answer = super().together(samples, executions)
        return answer if isinstance(answer, Step) else [a_verdict(failed=True) for _ in samples]


def failures(found: dict[str, Judged]) -> list[str]:
    return [text for text, each in found.items() if each.verdict and has_failed(each.verdict)]


def test_a_confirmed_failure_was_judged_alone(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judge = judge_with(StepRunner(sandbox, tmp_path, {}), "fake", Unfair(), confirm_failures=True)
    found = judged_together(judge, "fn a() {}", "fn wrong() {}")

    assert [step.name for step in sandbox.steps] == ["together", "judge", "judge"]
    assert failures(found) == ["fn wrong() {}"]


def test_only_failures_need_to_be_confirmed(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judge = judge_with(StepRunner(sandbox, tmp_path, {}), "fake", Sociable(), confirm_failures=True)
    judged_together(judge, "fn a() {}", "fn wrong() {}", "fn b() {}")

    assert [step.argv[0] for step in sandbox.steps if step.name == "judge"] == ["fn wrong() {}"]


def test_an_audit_that_agrees_changes_nothing(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judge = judge_with(StepRunner(sandbox, tmp_path, {}), "fake", Sociable(), audit_chance=1.0)
    found = judged_together(judge, "fn a() {}", "fn wrong() {}")

    assert [step.name for step in sandbox.steps] == ["together", "judge"]
    assert failures(found) == ["fn wrong() {}"]


def test_an_audit_that_disagrees_sends_the_whole_group_to_be_judged_alone(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judge = judge_with(StepRunner(sandbox, tmp_path, {}), "fake", Unfair(), audit_chance=1.0)
    found = judged_together(judge, "fn a() {}", "fn b() {}", "fn c() {}")

    assert [step.name for step in sandbox.steps] == ["together", "judge", "judge", "judge"]
    assert failures(found) == []


def test_a_toolchain_that_cannot_share_and_a_sample_without_company_are_judged_alone(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judged_together(judge_with(StepRunner(sandbox, tmp_path, {}), "fake", FakeToolchain()), "fn a() {}", "fn b() {}")
    judged_together(judge_with(StepRunner(sandbox, tmp_path, {}), "fake", Sociable()), "fn a() {}")

    assert [step.name for step in sandbox.steps] == ["judge"] * 3


def test_what_goes_wrong_in_company_is_nobodys_fault(tmp_path: Path) -> None:
    def run(step: Step) -> Execution:
        if step.name == "together":
            raise MachineryError("no room")
        return Execution(step=step.name, ended="exited", exit_code=0)

    judge = judge_with(StepRunner(FakeSandbox(run), tmp_path, {}), "fake", Sociable())
    found = judged_together(judge, "fn a() {}", "fn b() {}")

    assert [each.verdict is not None for each in found.values()] == [True, True]


def test_a_custom_check_is_made_of_those_that_shared_as_well(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judge = judge_with(StepRunner(sandbox, tmp_path, {}), "fake", Sociable())
    found = judged_together(judge, "fn a() {}", "fn b() {}", case=a_case(custom_check="some program"))

    assert [step.name for step in sandbox.steps] == ["together", "custom check", "custom check"]
    assert all(each.verdict and each.verdict.conditions[-1].holds for each in found.values())


def test_those_that_were_seen_together_come_together_but_a_custom_check_keeps_nobody(tmp_path: Path) -> None:
    judge = judge_with(StepRunner(FakeSandbox(), tmp_path, {}), "fake", Sociable())
    checked = a_case("checked", custom_check="true")
    cases = {"fn a() {}": checked, "fn b() {}": CASE, "fn alone() {}": CASE, "fn d() {}": CASE}
    tasks = [JudgeTask(number=number, case=case, code=code) for number, (code, case) in enumerate(cases.items())]

    assert [[judged.number for judged in together] for together in judge.judge(tasks)] == [[1, 3], [0], [2]]
