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
        ("[]", r"gold.jsonl:1: is not a JSON object"),
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
        ('{"run": "a", "score": 1}\n{"run": "b/../a", "score": 1}', r"gold.jsonl:2: run: line 1 has the same run"),
        (
            '{"run": "a", "name": "n", "score": 1}\n{"run": "b", "name": "n", "score": 1}',
            r"gold.jsonl:2: name: line 1 has the same name",
        ),
        ('{"run": "", "resolved": true}', r"gold.jsonl:1: run: must name"),
        ('{"run": "a\\u0000", "resolved": true}', r"gold.jsonl:1: run: is not a path"),
        ('{"run": "a", "resolved": null, "score": null, "scores": {}}', r"says nothing about the outcome"),
        ("run,resolved\na,true\n", r"gold.jsonl:1: is not a JSON object, of which each line has one"),
        ('{"run": "a", "score": NaN}', r"gold.jsonl:1: is not a JSON object"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_gold(written(tmp_path, text))


def test_all_wrong_lines_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        read_gold(written(tmp_path, "".join(f'{{"run": "{number}"}}\n' for number in range(30))))
    lines = str(caught.value).split("\n")
    assert [":7: says nothing" in line for line in lines].count(True) == 1
    assert lines[-1].endswith("gold.jsonl: and 10 more")


def test_a_byte_order_mark_and_line_ends_of_windows_are_accepted(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"run": "a", "resolved": true}\r\n{"run": "b", "resolved": null, "score": 2}\r\n')
    assert [(run.name, run.resolved, run.score) for run in read_gold(file)] == [("a", True, None), ("b", None, 2.0)]


def test_a_line_that_is_nested_too_deeply_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gold\.jsonl:1: is not a JSON object"):
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
