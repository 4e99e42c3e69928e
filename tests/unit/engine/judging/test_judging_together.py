"""Several answers at once: what is known of them, and what they share."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from fakes import FakeSandbox, FakeToolchain
from forgetest.engine.judging.judge import Asked, Judge, Judgement
from forgetest.engine.judging.step_runner import Workshop
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.sample import Completion
from forgetest.toolchains import Sample
from forgetest.verdict import Execution, Step, Verdict
from specimens import a_case, a_verdict, an_eval_set

CASE = a_case()
SET = an_eval_set(CASE)


def code(text: str) -> Completion:
    return Completion(text=text, verbatim=True)


class Sociable(FakeToolchain):
    """Judges together whatever does not say that it wants to be alone."""

    def together(self, samples: Sequence[Sample], executions: Sequence[Execution]) -> Step | list[Verdict | None]:
        if not executions:
            return Step(name="together", argv=tuple(sample.code for sample in samples))
        return [
            None if "alone" in sample.code else a_verdict(failed="wrong" in sample.code, compile_ms=1.0)
            for sample in samples
        ]


def judged_together(judge: Judge, *texts: str, case: Case = CASE) -> dict[str, Judgement]:
    asked = [Asked(SET, case, code(text)) for text in texts]
    found = {texts[place]: judgement for together in judge.judge_together(asked) for place, judgement in together}
    assert len(found) == len(set(texts))
    return found


def test_samples_that_come_together_share_and_the_rest_is_judged_alone(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judge = Judge(Workshop(sandbox, tmp_path, {}), {"rust": Sociable()}, "fake")

    found = judged_together(judge, "fn a() {}", "fn alone() {}", "fn wrong() {}")

    assert [step.name for step in sandbox.steps] == ["together", "judge"]
    assert sandbox.steps[1].argv == ("fn alone() {}",)
    assert [len(each.verdict.tests) for each in found.values() if each.verdict] == [4, 5, 4]
    assert {each.verdict.provenance.sandbox for each in found.values() if each.verdict} == {"fake"}
    assert {text: each.code for text, each in found.items()} == {text: text for text in found}


def test_what_was_judged_together_is_kept_and_what_is_known_is_not_judged_again(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    with contextlib.closing(VerdictCache(tmp_path, 1 << 30)) as cache:
        judge = Judge(Workshop(sandbox, tmp_path, {}), {"rust": Sociable()}, "fake", cache)
        first = judged_together(judge, "fn a() {}", "fn b() {}")
        second = judged_together(judge, "fn b() {}", "fn c() {}", "fn a() {}", "fn d() {}")

    assert [step.argv for step in sandbox.steps] == [("fn a() {}", "fn b() {}"), ("fn c() {}", "fn d() {}")]
    assert second["fn a() {}"].verdict == first["fn a() {}"].verdict


def test_without_sharing_each_is_judged_by_itself_also_where_others_have_shared(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    with contextlib.closing(VerdictCache(tmp_path, 1 << 30)) as cache:
        for sharing in (True, False):
            judge = Judge(Workshop(sandbox, tmp_path, {}), {"rust": Sociable()}, "fake", cache, sharing=sharing)
            judged_together(judge, "fn a() {}", "fn b() {}")

    assert [step.name for step in sandbox.steps] == ["together", "judge", "judge"]


def test_a_toolchain_that_cannot_share_and_a_sample_without_company_are_judged_alone(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judged_together(Judge(Workshop(sandbox, tmp_path, {}), {"rust": FakeToolchain()}, "fake"), "fn a() {}", "fn b() {}")
    judged_together(Judge(Workshop(sandbox, tmp_path, {}), {"rust": Sociable()}, "fake"), "fn a() {}", "")

    assert [step.name for step in sandbox.steps] == ["judge"] * 3


def test_what_goes_wrong_in_company_is_nobodys_fault(tmp_path: Path) -> None:
    def run(step: Step) -> Execution:
        if step.name == "together":
            raise MachineryError("no room")
        return Execution(step=step.name, ended="exited", exit_code=0)

    judge = Judge(Workshop(FakeSandbox(run), tmp_path, {}), {"rust": Sociable()}, "fake")
    found = judged_together(judge, "fn a() {}", "fn b() {}")

    assert [each.verdict is not None for each in found.values()] == [True, True]


def test_a_custom_check_is_made_of_those_that_shared_as_well(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    judge = Judge(Workshop(sandbox, tmp_path, {}), {"rust": Sociable()}, "fake")
    found = judged_together(judge, "fn a() {}", "fn b() {}", case=a_case(custom_check="some program"))

    assert [step.name for step in sandbox.steps] == ["together", "custom check", "custom check"]
    assert all(each.verdict and each.verdict.conditions[-1].holds for each in found.values())


def test_what_nothing_need_be_run_for_is_known_at_once(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    with contextlib.closing(VerdictCache(tmp_path, 1 << 30)) as cache:
        judge = Judge(Workshop(sandbox, tmp_path, {}), {"rust": FakeToolchain()}, "fake", cache)
        before = judge.judge(SET, CASE, code("fn known() {}"))
        steps = len(sandbox.steps)
        checked = a_case("checked", custom_check="true")
        asked = [
            Asked(SET, CASE, code("fn new() {}")),
            Asked(SET, CASE, code("fn known() {}")),
            Asked(SET, CASE, Completion(text="no code here")),
            Asked(SET, checked, code("fn known() {}")),
        ]

        known = judge.known(asked)

    assert sorted(known) == [1, 2]
    assert (known[1].verdict, known[1].code) == (before.verdict, "fn known() {}")
    assert (known[2].reason, known[2].unjudged) == ("the answer has no code", False)
    assert len(sandbox.steps) == steps


def test_without_a_cache_only_answers_without_code_are_known(tmp_path: Path) -> None:
    judge = Judge(Workshop(FakeSandbox(), tmp_path, {}), {"rust": FakeToolchain()}, "fake")

    assert list(judge.known([Asked(SET, CASE, code("fn f() {}")), Asked(SET, CASE, Completion(text=" "))])) == [1]


def test_those_that_were_seen_together_come_together_but_a_custom_check_keeps_nobody(tmp_path: Path) -> None:
    judge = Judge(Workshop(FakeSandbox(), tmp_path, {}), {"rust": Sociable()}, "fake")
    checked = a_case("checked", custom_check="true")
    asked = [
        Asked(SET, checked, code("fn a() {}")),
        Asked(SET, CASE, code("fn b() {}")),
        Asked(SET, CASE, code("fn alone() {}")),
        Asked(SET, CASE, code("fn d() {}")),
    ]

    assert [[place for place, _ in together] for together in judge.judge_together(asked)] == [[1, 3], [0], [2]]
