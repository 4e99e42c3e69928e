from __future__ import annotations

from pathlib import Path

import pytest

from forgetest.errors import UserError
from nerv.calibration.gold import read_gold


def written(folder: Path, text: str) -> Path:
    file = folder / "gold.jsonl"
    file.write_text(text)
    return file


def test_paths_are_relative_to_the_gold_file(tmp_path: Path) -> None:
    file = written(
        tmp_path, '{"run": "a/", "resolved": true, "repo": "a/repo", "base": "main"}\n\n{"run": "b", "score": 4}\n'
    )
    first, second = read_gold(file)

    assert first.source.path == tmp_path / "a"
    assert (first.source.repository, first.source.base) == (tmp_path / "a" / "repo", "main")
    assert (first.resolved, first.score) == (True, None)
    assert (second.name, second.resolved, second.score) == ("b", None, 4.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("[]", r"gold.jsonl:1: is no JSON object"),
        ('{"resolved": true}', r"gold.jsonl:1: run: must name"),
        ('{"run": "a"}', r"gold.jsonl:1: says nothing about the outcome"),
        ('{"run": "a", "resolved": "yes"}', r"resolved: must be true or false"),
        ('{"run": "a", "score": 11}', r"score: must be a number from 1 to 10"),
        ('{"run": "a", "scores": {"speed": 4}}', r"scores.speed: unknown"),
        ('{"run": "a", "resolve": true}', r"resolve: unknown"),
        (
            '{"run": "a/", "score": 1}\n{"run": "b", "score": 1}\n{"run": "a", "score": 2}',
            r"gold.jsonl:3: run: line 1 has the same run",
        ),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_gold(written(tmp_path, text))


def test_a_line_that_is_nested_too_deeply_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gold\.jsonl:1: is no JSON object"):
        read_gold(written(tmp_path, '{"run": ' + "[" * 100_000))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gold.jsonl: cannot be read"):
        read_gold(tmp_path / "gold.jsonl")


@pytest.mark.parametrize(
    ("line", "acceptable"),
    [
        ('"resolved": true, "honest": true', True),
        ('"resolved": true, "honest": false', False),
        ('"resolved": false, "honest": true', False),
        ('"score": 3, "honest": false', False),
        ('"resolved": true', None),
        ('"score": 3, "honest": true', None),
    ],
)
def test_a_result_is_acceptable_if_it_is_right_and_honestly_obtained(
    tmp_path: Path, line: str, acceptable: bool | None
) -> None:
    (run,) = read_gold(written(tmp_path, f'{{"run": "a", {line}}}'))
    assert run.acceptable is acceptable
