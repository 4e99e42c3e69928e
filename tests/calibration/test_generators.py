"""The generated runs are what they say they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from calibration.behaviour import RUNS
from calibration.behaviours import BEHAVIOURS, TRICKS
from calibration.generate import generate
from calibration.measure import KINDS
from calibration.solutions import FLAWS, code
from calibration.task import task
from nerv import readers
from nerv.calibration.gold import read_gold


def test_the_set_is_large_and_varied_enough() -> None:
    assert len(BEHAVIOURS) >= 60
    assert sum(run.honest for run in BEHAVIOURS) >= 30
    assert len({run.task for run in BEHAVIOURS}) >= 5
    assert len({task(run.task).language for run in BEHAVIOURS}) >= 3
    assert len({run.form for run in BEHAVIOURS}) >= 3


def test_every_class_of_tricks_has_variants() -> None:
    counts = Counter(run.trick for run in BEHAVIOURS if run.trick)
    assert len(TRICKS) >= 16
    assert set(TRICKS) == set(KINDS)
    assert min(counts.values()) >= 3


def test_about_a_third_is_held_out_for_good() -> None:
    first = [run for run in BEHAVIOURS if run.split in ("tuning", "held out")]
    held_out = [run for run in first if run.split == "held out"]
    assert 0.25 <= len(held_out) / len(first) <= 0.42
    assert RUNS["complete-plain-durations-claude-code"].split == "tuning"  # a changed hash would move runs between both


@pytest.mark.parametrize(
    ("split", "tasks"),
    [
        ("second held out", {"tables", "versions", "memo"}),
        ("third held out", {"throttle", "mailer", "jobs", "amounts", "cronline"}),
        ("fourth held out", {"envfile", "hits", "ignore", "csvline", "retry"}),
        ("fifth held out", {"paging", "sizes", "urlnorm", "stock", "eventbus"}),
        ("sixth held out", {"toc", "layers", "buildorder", "undo", "ballots"}),
        ("seventh held out", {"subs", "recipe", "snapshots", "tickets", "chords"}),
        ("eighth held out", {"league", "kitty", "lending", "metro"}),
        ("ninth held out", {"carpark", "dice", "garage", "knit"}),
        ("tenth held out", {"parcel", "tides", "seats", "rota"}),
        ("eleventh held out", {"redact", "rollout", "hexview", "scrub", "meter", "pallet"}),
        ("twelfth held out", {"gradebook", "citations", "redirects"}),
        ("thirteenth held out", {"birdlog", "streaks", "waypoint", "crossword"}),
        ("fourteenth held out", {"pillbox", "oche", "gameclock", "chessclock"}),
        ("fifteenth held out", {"regatta", "flotilla", "jukebox", "kiln"}),
    ],
)
def test_later_projects_are_held_out_as_a_whole(split: str, tasks: set[str]) -> None:
    later = [run for run in BEHAVIOURS if run.split == split]
    assert {run.task for run in later} == tasks
    classes = Counter(run.trick for run in later if run.trick)
    if split == "fourteenth held out":  # a small part: no class twice
        assert len(classes) == classes.total() == 12
    elif split == "fifteenth held out":  # seven in each project
        assert set(classes) == set(TRICKS)
        assert classes.total() == 7 * len(tasks)
    else:
        assert set(classes) == set(TRICKS)
    assert not {run.task for run in BEHAVIOURS if run.split != split} & tasks


@pytest.mark.parametrize(
    "split",
    ["third held out", "fourth held out", "fifth held out", "sixth held out", "seventh held out", "ninth held out"],
)
def test_the_larger_parts_are_varied_on_their_own(split: str) -> None:
    part = [run for run in BEHAVIOURS if run.split == split]
    assert len(part) >= 60
    assert sum(run.label == "complete" for run in part) >= 20
    assert sum(run.label == "wrong" for run in part) >= 8
    assert len({task(run.task).language for run in part}) == 4
    assert len({run.form for run in part}) == 5
    assert min(Counter(run.trick for run in part if run.trick).values()) >= 2


def test_the_smallest_part_is_varied_on_its_own() -> None:
    part = [run for run in BEHAVIOURS if run.split == "eighth held out"]
    assert len(part) >= 60
    assert sum(run.label == "complete" for run in part) >= 20
    assert len({task(run.task).language for run in part}) == 3
    assert len({run.form for run in part}) == 5


@pytest.mark.parametrize(("name", "flaw"), [(name, flaw) for name, flaws in FLAWS.items() for flaw in flaws])
def test_a_mistake_changes_the_right_code(name: str, flaw: str) -> None:
    assert code(task(name), flaw) != code(task(name))


@pytest.mark.parametrize(
    "name",
    [
        "complete-plain-durations-claude-code",
        pytest.param("complete-test-first-durations-codex", marks=pytest.mark.slow),
        "partial-says-what-is-missing-ledger-mini-swe-agent",
        "complete-ticks-what-it-did-ledger-nerv",
        "printed-success-prints-a-test-result-ledger-codex",
        "hidden-tests-read-reads-the-hidden-tests-ledger-mini-swe-agent",
        pytest.param("complete-one-point-after-another-cronline-nerv", marks=pytest.mark.slow),
        pytest.param("weakened-tests-counts-instead-of-comparing-hits-mini-swe-agent", marks=pytest.mark.slow),
        pytest.param("complete-mocks-the-requests-paging-codex", marks=pytest.mark.slow),
        pytest.param("complete-leaves-a-file-alone-layers-claude-code", marks=pytest.mark.slow),
        pytest.param("machinery-compares-the-last-word-recipe-own", marks=pytest.mark.slow),
        pytest.param("wrong-has-too-many-ways-dice-own", marks=pytest.mark.slow),
        pytest.param("ticked-boxes-makes-the-release-knit-nerv", marks=pytest.mark.slow),
        pytest.param("complete-sorts-and-sweeps-tides-own", marks=pytest.mark.slow),
        pytest.param("complete-ticks-box-after-box-rota-nerv", marks=pytest.mark.slow),
    ],
)
def test_the_hidden_tests_say_what_the_generator_says(name: str, tmp_path: Path) -> None:
    (run,) = generate(tmp_path, [RUNS[name]])
    assert run.resolved == run.behaviour.resolved
    (gold,) = read_gold(tmp_path / "gold.jsonl")
    evidence = readers.read(gold.source)
    assert evidence.changes.written is not None
    assert evidence.spec.items
    assert gold.resolved == run.resolved
