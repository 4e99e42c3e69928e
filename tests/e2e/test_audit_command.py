"""`forgetest audit`, with real compilers and a real sandbox."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

import forgetest
from workbench import FORGETEST, environment, forgetest_here, needs_judging
from workbench import forgetest as call

AUDITED = Path(__file__).resolve().parents[1] / "audited"
RULES = {
    "test-never-runs": "test-never-runs",
    "test-without-assertion": "test-without-assertion",
    "wrong-reference": "reference-fails",
    "flaky-reference": "reference-flaky",
    "hidden-requirement": "untold-requirement",
    "constant-passes": "lazy-answer-passes",
    "unreached-code": "unreached-code",
}
"""The planted faults: each case, and the rule that names it."""


def audit(*words: object, folder: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    done = call("audit", "--quiet", "--format", "all", "--output", folder, *words, cwd=folder)
    return done, json.loads((folder / "audit.json").read_text())


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("audit")
    words = ("--eval-set", AUDITED / "planted-python.toml", "--case", "sound", "--repeat", "1", "--fail-under", "1")
    return audit(*words, folder=folder), folder


@pytest.mark.slow
@needs_judging
def test_a_sound_case_passes_the_gate(sound: Any):
    (done, written), _ = sound
    assert done.returncode == 0, done.stderr
    assert "planted-python: grade A: 3 of 3 mutants killed (100.0%)" in done.stdout
    [case] = written["eval_sets"][0]["cases"]
    assert {each["status"] for each in case["mutants"]} == {"killed"}
    assert {each["status"] for each in case["impostors"]} == {"rejected"}


@pytest.mark.slow
@needs_judging
def test_all_files_are_written(sound: Any):
    (done, _), folder = sound
    assert [str(folder / name) for name in ("audit.json", "audit.html", "audit.sarif")] == done.stdout.split()[-3:]


@needs_judging
def test_weak_tests_fail_the_gate_with_exit_code_1(tmp_path: Path):
    words = ("--eval-set", AUDITED / "planted-python.toml", "--case", "constant-passes", "--repeat", "1")
    done, written = audit(*words, "--mutants", "2", "--fail-under", "0.1", folder=tmp_path)
    assert done.returncode == 1
    assert "--fail-under 0.1: " in done.stderr
    assert written["errors"] > 0
    sarif = json.loads((tmp_path / "audit.sarif").read_text())
    places = {
        (each["ruleId"], each["locations"][0]["physicalLocation"]["region"]["startLine"])
        for each in sarif["runs"][0]["results"]
    }
    text = (AUDITED / "planted-python.toml").read_text().splitlines()
    [line] = [number for rule, number in places if rule == "lazy-answer-passes"]
    assert text[line - 1] == "test_file = '''"


def test_nothing_to_examine_is_a_mistake(tmp_path: Path):
    done = forgetest_here("audit", cwd=tmp_path)
    assert done.returncode == 2
    assert "give --eval-set" in done.stderr


@needs_judging
@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "rust"])
def test_every_planted_fault_is_found(language: str, tmp_path: Path):
    sets = ("--eval-set", AUDITED / f"planted-{language}.toml", "--mutants", "4")
    others = [word for case in (*RULES, "sound") if case != "flaky-reference" for word in ("--case", case)]
    cases = {}
    for words in (("--repeat", "12", "--case", "flaky-reference"), ("--repeat", "1", *others)):
        _, written = audit(*sets, *words, folder=tmp_path)
        cases |= {each["id"]: each for each in written["eval_sets"][0]["cases"]}
    found = {case: {finding["rule"] for finding in each["findings"]} for case, each in cases.items()}
    for case, rule in RULES.items():
        assert rule in found[case], case
    grave = {each["rule"] for each in cases["sound"]["findings"] if each["level"] != "note"}
    assert grave == set()


@needs_judging
@pytest.mark.slow
def test_a_mutant_of_which_the_compiler_makes_the_same_is_equivalent_in_rust():
    audited = forgetest.audit(AUDITED / "equivalent-rust.toml", repeat=1)
    status = {
        (case.id, mutant.mutation.before, mutant.mutation.after): mutant.status
        for case in audited.eval_sets[0].cases
        for mutant in case.mutants
    }
    assert status["plain", "<", "<="] == "equivalent"
    assert status["generic", "<", "<="] == "survived"


@needs_judging
@pytest.mark.slow
def test_the_quickstart_set_is_a_good_exam(tmp_path: Path):
    done, _ = audit("--eval-set", "quickstart", "--repeat", "1", "--fail-under", "0.95", folder=tmp_path)
    assert done.returncode == 0, done.stdout


@needs_judging
@pytest.mark.slow
def test_recorded_answers_that_tests_do_not_tell_apart_are_shown_with_an_input(tmp_path: Path):
    codes = {"exact": "(n > 0) - (n < 0)", "careless": "1 if n >= 0 else -1"}
    samples = tmp_path / "samples.jsonl"
    samples.write_text(
        "".join(
            json.dumps({"case_id": "unreached-code", "model": model, "code": f"def sign(n): return {value}"}) + "\n"
            for model, value in codes.items()
        )
    )
    words = ("--eval-set", AUDITED / "planted-python.toml", "--case", "unreached-code", "--repeat", "1")
    done, written = audit(*words, "--mutants", "1", "--samples-from", samples, folder=tmp_path)
    [case] = written["eval_sets"][0]["cases"]
    assert "all 2 recorded answers pass" in done.stdout
    [pair] = case["recorded"]["pairs"]
    assert (pair["call"], {pair["first_result"], pair["second_result"]}) == ("sign(0)", {"0", "1"})


@needs_judging
@pytest.mark.slow
def test_an_interrupted_audit_exits_with_130_and_resumes(tmp_path: Path):
    words = [
        FORGETEST,
        "audit",
        "--eval-set",
        str(AUDITED / "planted-python.toml"),
        "--case",
        "sound",
        "--mutants",
        "2",
    ]
    process = subprocess.Popen(words, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    next(line for line in process.stderr if line.startswith("reference solutions: 1 of 1"))
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "the same command resumes" in told
    assert subprocess.run(words, cwd=tmp_path, env=environment(), check=False, capture_output=True).returncode == 0
