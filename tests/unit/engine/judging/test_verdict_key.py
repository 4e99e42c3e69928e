from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from forgetest.engine.judging import verdict_key as keys
from forgetest.engine.judging.verdict_key import case_key, is_lasting, verdict_key
from forgetest.evalset import Case, ContextFile, Dependency
from forgetest.testing.fakes import FakePrepared, FakeToolchain
from forgetest.verdict import Execution, Limits, Step, TestOutcome, Verdict
from specimens import a_case, a_verdict

CASE = a_case(test_file="#[test] fn t() {}")


def key_of(case: Case = CASE, level: str = "strong", version: str = "1.0", toolchain: Any = None) -> bytes:
    return case_key(toolchain or FakeToolchain(), FakePrepared(version), case, level)


def expecting(**expected: Any) -> Case:
    return replace(CASE, expectations=replace(CASE.expectations, **expected))


def test_the_same_things_have_the_same_key() -> None:
    assert key_of() == key_of()
    assert verdict_key(key_of(), "fn f() {}") == verdict_key(key_of(), "fn f() {}")


@pytest.mark.parametrize(
    "case",
    [
        expecting(test_file="#[test] fn u() {}"),
        expecting(test_file=None),
        expecting(expected_functions=("fn f()",)),
        expecting(expected_types=("S",)),
        expecting(should_compile=False),
        expecting(should_pass_tests=False),
        replace(CASE, options={"edition": "2024"}),
        replace(CASE, language="other"),
        replace(CASE, timeout_secs=7.0),
        replace(CASE, reference_solution="fn f() {}"),
        replace(CASE, dependencies=(Dependency(name="tokio", version="1"),)),
    ],
    ids=lambda case: "",
)
def test_what_bears_on_a_verdict_changes_the_key(case: Case) -> None:
    assert key_of(case) != key_of()


@pytest.mark.parametrize(
    "case",
    [
        replace(CASE, id="other", name="Other", description="?", prompt="Write something.", tags=("hard",)),
        replace(CASE, max_tokens=5, context=(ContextFile(path="a", content="b"),)),
        expecting(max_lint_warnings=3),
        expecting(custom_check="true"),
    ],
    ids=["names", "what the model is told", "a limit of lints", "a check that runs each time"],
)
def test_what_is_held_against_a_verdict_later_does_not(case: Case) -> None:
    assert key_of(case) == key_of()


def test_code_compiler_and_sandbox_change_the_key() -> None:
    assert verdict_key(key_of(), "fn f() {}") != verdict_key(key_of(), "fn f() {} ")
    assert key_of(version="1.1") != key_of()
    assert key_of(level="strong -network") != key_of()


def test_code_that_is_not_text_has_a_key() -> None:
    assert verdict_key(key_of(), "\ud800") != verdict_key(key_of(), "?")


@dataclass
class Other(FakeToolchain):
    """Asks for a step that differs in one thing."""

    step: Step

    def next(self, prepared: object, case: Case, code: str, executions: Sequence[Execution]) -> Step | Verdict:
        return self.step


def test_flags_limits_and_environment_change_the_key() -> None:
    plain = Step(name="build", argv=("rustc",))
    others = [
        replace(plain, argv=("rustc", "-O")),
        replace(plain, limits=Limits(memory_bytes=1 << 30)),
        replace(plain, env={"LANG": "C"}),
        replace(plain, files={"a": b"b"}),
    ]

    assert len({key_of(toolchain=Other(step)) for step in [plain, *others]}) == 5


def test_another_verdict_format_changes_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of()
    monkeypatch.setattr(keys, "VERDICT_FORMAT", keys.VERDICT_FORMAT + 1)

    assert key_of() != before


def test_a_changed_toolchain_changes_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "speech").mkdir()
    module, data = tmp_path / "speech" / "__init__.py", tmp_path / "speech" / "launcher.rs"
    monkeypatch.syspath_prepend(tmp_path)
    seen = []
    for text, further in (("# 1", "a"), ("# 2", "a"), ("# 2", "b")):
        module.write_text(
            f"from forgetest.testing.fakes import FakeToolchain\nclass Speech(FakeToolchain): ...  {text}\n"
        )
        data.write_text(further)
        import speech  # type: ignore[import-not-found]

        keys._digests.clear()
        seen.append(key_of(toolchain=speech.Speech()))
    keys._digests.clear()

    assert len(set(seen)) == 3


def test_changed_rules_change_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of()
    monkeypatch.setattr(keys, "_RULES", keys._RULES + 1)

    assert key_of() != before


def test_changed_code_that_all_toolchains_share_changes_the_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(keys.toolchains, "__file__", str(tmp_path / "__init__.py"))
    seen = []
    for text in ("# 1", "# 2"):
        (tmp_path / "controls.py").write_text(text)
        keys._digests.clear()
        seen.append(key_of())
    keys._digests.clear()

    assert seen[0] != seen[1]


def ran(ended: Any = "exited") -> list[Execution]:
    return [Execution(step="test", ended=ended, exit_code=0)]


def with_test(**further: Any) -> Verdict:
    return a_verdict(tests=(TestOutcome(name="t", status="passed", **further),))


@pytest.mark.parametrize(
    ("verdict", "executions", "lasts"),
    [
        (a_verdict(), ran(), True),
        (a_verdict(failed=2), ran(), True),
        (a_verdict(compiled=False), ran(), True),
        (a_verdict(), ran("cpu_limit"), False),
        (a_verdict(compiled=False), ran("wall_limit"), False),
        (with_test(timed_out="cpu"), ran(), False),
        (with_test(cpu_ms=100.0, wall_ms=200.0), ran(), True),
        (with_test(cpu_ms=CASE.timeout_secs * 900), ran(), False),
        (with_test(wall_ms=CASE.timeout_secs * 900), ran(), False),
    ],
)
def test_what_the_clock_decided_or_nearly_did_does_not_last(
    verdict: Verdict, executions: list[Execution], lasts: bool
) -> None:
    assert is_lasting(verdict, executions, CASE) is lasts


def test_a_short_test_that_waited_for_its_turn_on_a_busy_machine_lasts() -> None:
    short = replace(CASE, timeout_secs=0.25)
    assert is_lasting(with_test(cpu_ms=5.0, wall_ms=600.0), ran(), short)
    assert not is_lasting(with_test(cpu_ms=5.0, wall_ms=1200.0), ran(), short)
