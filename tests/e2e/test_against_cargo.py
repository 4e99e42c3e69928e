"""Our verdicts against plain cargo's, for more than a hundred samples: compilation, tests and clippy."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from external_data import needs_external
from forgetest import config
from forgetest.toolchains.rust.language import LANGUAGE
from forgetest.verdict import Verdict
from grading import JudgeGrader, case_of
from honest_samples import HUMANEVALPACK, HonestSample, of_built_in_sets, of_humanevalpack
from workbench import needs_judging

LINTED = Path(__file__).parents[1] / "linted"
WORKERS = 2
HANGS_S = 60
AGAIN = 10

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500), needs_judging]


@dataclass(slots=True)
class Outcome:
    """One judge's verdict on a sample, in terms that both judges have."""

    compiles: bool = True
    passed: int = 0
    failed: int = 0
    ignored: int = 0
    lints: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Clippy's, with the line each is about."""


def _linted() -> Iterator[HonestSample]:
    """Written by hand: each tests something that the single compiler call could get wrong."""
    tests = "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn holds() {\n        check();\n    }\n}\n"
    for path in sorted(LINTED.glob("*.rs")):
        yield HonestSample(name=f"linted-{path.stem}", case=case_of(tests), code=path.read_text(), is_correct=None)


EXPLAINED = {
    "linted-allow-all": "a lint level that the sample sets does not buy it points: the case decides what is linted",
    "linted-allow-on-item": "the same, on an item",
    "linted-nothing-to-check": "it compiles, the tests that ask for more do not; cargo has both in one crate",
    "linted-own-tests": "the tests that count are the case's; cargo runs the sample's own, too",
}
"""Samples on which we disagree with cargo on purpose, with the reason."""

RANDOM = {
    "rust-algorithms-trie-unordered": "gives two words of a prefix in the order of a HashMap",
    "rust-basics-top-counts-random-ties": "leaves five equal counts in the order of a HashMap",
}
"""Samples whose tests pass by chance: only these are tried again. All others must agree at the first try."""


def test_our_verdicts_on_our_own_samples_agree_with_plain_cargo(grade: JudgeGrader, tmp_path: Path) -> None:
    in_rust = [sample for sample in of_built_in_sets(with_crates=False) if sample.case.language == LANGUAGE.name]
    every_second = (sample for number, sample in enumerate(in_rust) if number % 2 == 0 or sample.name in RANDOM)
    chosen = [*every_second, *_linted()]
    assert len(chosen) >= 100
    assert {specimen.name for specimen in chosen} >= {*EXPLAINED, *RANDOM}
    assert _disagreements(chosen, grade, tmp_path) == sorted(EXPLAINED)


@needs_external(HUMANEVALPACK)
def test_our_verdicts_on_humaneval_agree_with_plain_cargo(grade: JudgeGrader, tmp_path: Path) -> None:
    # of every second problem the right solution, of the others the buggy one
    chosen = [sample for number, sample in enumerate(of_humanevalpack()) if number % 4 in (0, 3)]
    assert len(chosen) >= 150
    assert _disagreements(chosen, grade, tmp_path) == []


def _disagreements(chosen: Sequence[HonestSample], grade: JudgeGrader, tmp_path: Path) -> list[str]:
    """The names of samples on which we and cargo disagree; our own two ways of judging must always agree."""
    theirs, binaries = _by_cargo(chosen, tmp_path)
    most = LANGUAGE.most_together
    groups = [chosen[first : first + most] for first in range(0, len(chosen), most)]
    with ThreadPoolExecutor(WORKERS) as pool:
        alone = list(pool.map(lambda each: _by_us(grade, each), chosen))
        ours = [outcome for group in pool.map(lambda each: _by_us_together(grade, each), groups) for outcome in group]
    for each, mine, single in zip(chosen, ours, alone, strict=True):
        assert each.name in RANDOM or mine == single, each.name

    different = set()
    for each, mine in zip(chosen, ours, strict=True):
        other = theirs[each.name]
        if mine != other and not (each.name in RANDOM and _agree_in_some_try(grade, each, other, binaries)):
            print(f"{each.name}: ours {mine}, cargo's {other}")
            different.add(each.name)
    return sorted(different)


def _agree_in_some_try(grade: JudgeGrader, specimen: HonestSample, other: Outcome, binaries: Mapping[str, str]) -> bool:
    """Return True if both agree on a sample whose tests pass or fail by chance, in one of several tries."""
    mine = [_by_us(grade, specimen) for _ in range(AGAIN)]
    others = [Outcome(True, *_run(binaries[specimen.name]), lints=other.lints) for _ in range(AGAIN)]
    return any(one in others for one in mine)


def _by_us(grade: JudgeGrader, specimen: HonestSample) -> Outcome:
    return _outcome(grade(specimen.code, specimen.case).verdict)


def _by_us_together(grade: JudgeGrader, specimens: Sequence[HonestSample]) -> list[Outcome]:
    """Judge samples together, as a run does."""
    graded = grade.together([(each.code, each.case) for each in specimens])
    return [_outcome(each.verdict) for each in graded]


def _outcome(verdict: Verdict) -> Outcome:
    if not verdict.compiled:
        return Outcome(compiles=False)
    counts = Counter(test.status for test in verdict.tests)
    return Outcome(
        passed=counts["passed"],
        failed=counts["failed"],
        ignored=counts["ignored"],
        lints=Counter((str(lint.code), lint.spans[0].line_start if lint.spans else 0) for lint in verdict.lints),
    )


def _by_cargo(chosen: Sequence[HonestSample], place: Path) -> tuple[dict[str, Outcome], dict[str, str]]:
    """Cargo's verdicts, by name. Package names differ so that no binary is mistaken for another's."""
    for each in chosen:
        folder = place / each.name / "src"
        folder.mkdir(parents=True)
        edition = LANGUAGE.option(each.case.options, "edition")
        manifest = f'[package]\nname = "{each.name}"\nversion = "0.1.0"\nedition = "{edition}"\n'
        (folder.parent / "Cargo.toml").write_text(manifest)
        (folder / "lib.rs").write_text(f"{each.code}\n{each.case.expectations.test_file}")
    (place / "Cargo.toml").write_text('[workspace]\nresolver = "2"\nmembers = ["*"]\nexclude = ["target"]\n')
    found = {each.name: Outcome() for each in chosen}
    for message in _messages(place, "clippy", "--workspace"):
        diagnostic = message.get("message", {})
        code = str((diagnostic.get("code") or {}).get("code"))
        if code.startswith("clippy::"):
            line = next((span["line_start"] for span in diagnostic["spans"] if span["is_primary"]), 0)
            found[_package(message)].lints[code, line] += 1
    binaries = {}
    for message in _messages(place, "build", "--workspace", "--tests"):
        if message.get("executable"):
            binaries[_package(message)] = message["executable"]
    with ThreadPoolExecutor(WORKERS) as pool:
        counts = dict(zip(binaries, pool.map(_run, binaries.values()), strict=True))
    for name, outcome in found.items():
        if name not in binaries:
            found[name] = Outcome(compiles=False)
        else:
            outcome.passed, outcome.failed, outcome.ignored = counts[name]
    return found, binaries


def _package(message: Mapping[str, Any]) -> str:
    return str(message["target"]["name"]).replace("_", "-")


def _messages(place: Path, *words: str) -> Iterator[dict[str, Any]]:
    environment = {
        **config.host_environment(),
        "CARGO_TARGET_DIR": str(place / "target"),
        "CARGO_NET_OFFLINE": "true",
        "CARGO_INCREMENTAL": "0",
        "CARGO_PROFILE_DEV_DEBUG": "0",
    }
    finished = subprocess.run(
        ["cargo", *words, "--keep-going", "--message-format=json", f"--jobs={WORKERS}"],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    for line in finished.stdout.splitlines():
        yield json.loads(line)


def _run(executable: str) -> tuple[int, int, int]:
    """Libtest's counts, one test per process: a test that ends the process must not take others along."""
    listed = subprocess.run([executable, "--list"], capture_output=True, text=True, check=True, timeout=HANGS_S).stdout
    names = [line.removesuffix(": test") for line in listed.splitlines() if line.endswith(": test")]
    counts = Counter(_run_one(executable, name) for name in names)
    return counts["ok"], counts["FAILED"], counts["ignored"]


def _run_one(executable: str, name: str) -> str:
    environment = {"PATH": os.environ["PATH"], "RUST_BACKTRACE": "0"}
    try:
        finished = subprocess.run(
            [executable, "--exact", name],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=HANGS_S,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return "FAILED"
    if "1 ignored" in finished.stdout:
        return "ignored"
    return "ok" if finished.returncode == 0 and "1 passed" in finished.stdout else "FAILED"
