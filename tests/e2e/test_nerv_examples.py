"""Six complete runs with real repositories, ranked as a senior engineer would, for the right reasons."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import example_runs
from nerv import rules
from nerv.evidence import Evidence
from nerv.readers import RunSource, read
from nerv.rubric import WEIGHTS
from nerv.scorecard import CategoryScore, Criterion

ORDER = ("excellent", "good", "unreviewed", "wasteful", "untested", "chaotic")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    parent = tmp_path_factory.mktemp("examples")
    return {style.name: example_runs.write(style, parent / style.name) for style in example_runs.EXAMPLES}


@pytest.fixture(scope="module")
def evidence(folders: dict[str, Path]) -> dict[str, Evidence]:
    return {name: read(RunSource(path=folder)) for name, folder in folders.items()}


@pytest.fixture(scope="module")
def cards(evidence: dict[str, Evidence]) -> dict[str, tuple[CategoryScore, ...]]:
    return {name: rules.score(known) for name, known in evidence.items()}


Cards = dict[str, tuple[CategoryScore, ...]]


def criteria(cards: Cards, name: str) -> dict[str, Criterion]:
    return {criterion.key: criterion for category in cards[name] for criterion in category.criteria}


def scores(cards: Cards, name: str) -> dict[str, int]:
    return {key: criterion.score or 0 for key, criterion in criteria(cards, name).items()}


def categories(cards: Cards, name: str) -> list[int]:
    return [category.score or 0 for category in cards[name]]


def overall(cards: Cards, name: str) -> int:
    return sum(WEIGHTS[category.key] * (category.score or 0) for category in cards[name])


def test_merges_worktrees_and_commits_come_from_git(evidence: dict[str, Evidence]) -> None:
    excellent = evidence["excellent"]
    assert excellent.warnings == ()
    assert len(excellent.workflow.merges) == 6
    assert all(merge.commit for merge in excellent.workflow.merges)
    assert {worktree.task_id for worktree in excellent.workflow.worktrees} == {
        task.id for task in excellent.workflow.tasks
    }
    assert not any(commit.on_main for commit in excellent.changes.commits)
    assert sum(commit.on_main for commit in evidence["unreviewed"].changes.commits) == 2


def test_the_runs_are_ranked_as_a_senior_engineer_would(cards: Cards) -> None:
    worth = [overall(cards, name) for name in ORDER]
    assert worth == sorted(worth, reverse=True)
    assert len(set(worth)) == len(ORDER)


def test_only_the_chaotic_run_does_not_pass(cards: Cards) -> None:
    assert [name for name in ORDER if overall(cards, name) < 700] == ["chaotic"]


def test_the_excellent_run_is_excellent_throughout(cards: Cards) -> None:
    assert min(categories(cards, "excellent")) >= 9
    assert min(scores(cards, "excellent").values()) >= 8


def test_the_unreviewed_run_lacks_reviews_and_nothing_else(cards: Cards) -> None:
    found = scores(cards, "unreviewed")
    assert found["review"] == 1
    assert found["merges"] < scores(cards, "excellent")["merges"]
    assert all(found[key] >= 8 for key in found if key not in ("review", "merges"))
    assert "no review has a decision" in criteria(cards, "unreviewed")["review"].reason


def test_the_wasteful_run_is_not_called_untested(cards: Cards) -> None:
    found = scores(cards, "wasteful")
    implementation, workflow, efficiency, experience = categories(cards, "wasteful")
    assert efficiency <= 4
    assert min(implementation, workflow, experience) >= 9
    assert (found["tests"], found["requirements"], found["review"]) == (10, 10, 10)


def test_the_untested_run_is_not_called_wasteful(cards: Cards) -> None:
    found = scores(cards, "untested")
    assert found["tests"] == 1
    assert found["requirements"] <= 6  # ticked off, without any other evidence
    efficiency = categories(cards, "untested")[2]
    assert efficiency == 5 > categories(cards, "wasteful")[2]  # cheap, but nothing shows that it works
    assert "nothing shows that it works" in criteria(cards, "untested")["cost"].reason
    assert found["review"] == found["isolation"] == 10


def test_the_problems_of_the_good_run_are_named(cards: Cards) -> None:
    found = criteria(cards, "good")
    assert "1 failed" in found["merges"].reason
    assert any("the merge failed: returning" in observation.text for observation in found["merges"].observations)
    assert found["review"].score == 10  # rejected, changed, approved, merged
    assert any("add_book has no type" in observation.text for observation in found["organisation"].observations)


def test_the_chaotic_run_is_bad_throughout_and_its_ticked_boxes_are_not_believed(cards: Cards) -> None:
    found = criteria(cards, "chaotic")
    assert max(categories(cards, "chaotic")) <= 5
    assert any(
        "the code does not define POST /books" in observation.text for observation in found["requirements"].observations
    )
    assert any("denied but done anyway" in observation.text for observation in found["permissions"].observations)
    assert any("serves no item: Try a new logo" in observation.text for observation in found["alignment"].observations)
    kinds = {observation.text.split(":")[0] for observation in found["repetition"].observations}
    assert {"duplicate", "commented-out code", "dead code", "leftover"} <= kinds


def test_every_observation_names_an_existing_location(cards: Cards, folders: dict[str, Path]) -> None:
    """Each location is an existing line of a file in the results folder or in the repository."""
    for name, folder in folders.items():
        for criterion in criteria(cards, name).values():
            for observation in criterion.observations:
                if observation.location is None or observation.location.file.startswith("git"):
                    continue
                file = next(
                    at
                    for at in (folder / observation.location.file, folder / "repo" / observation.location.file)
                    if at.exists()
                )
                lines = file.read_text().count("\n") + 1
                assert observation.location.line is None or 1 <= observation.location.line <= lines


def test_the_same_folder_gives_the_same_result(folders: dict[str, Path], cards: Cards) -> None:
    assert rules.score(read(RunSource(path=folders["good"]))) == cards["good"]


@pytest.mark.parametrize(("name", "code"), [("excellent", 0), ("chaotic", 1)])
def test_the_command_gives_the_same_scores(
    name: str, code: int, folders: dict[str, Path], cards: Cards, tmp_path: Path
) -> None:
    # the examples are records with sketches of code, whose tests would fail; here only the rules count
    words = [sys.executable, "-m", "nerv", "benchmark", "score", str(folders[name]), "--json", "--no-verify"]
    environment = {"PATH": "/usr/bin:/bin", "NERV_HOME": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == code, done.stderr
    assert list(json.loads(done.stdout)["scores"].values()) == categories(cards, name)
