"""Answers that are kept between runs."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from forgetest.engine.asking import response_cache
from forgetest.engine.asking.response_cache import ResponseCache, key_of
from forgetest.sample import Completion, Request, Usage

REQUEST = Request(model="small", system="Be brief.", prompt="Write it.", temperature=0.0, seed=3)
ANSWER = Completion(text="fn f() {}", finish="length", usage=Usage(cost_usd=0.01, cached_tokens=3), latency_ms=12.5)
KEY = key_of("openai", {}, REQUEST, 1)
LIMIT = 1_000_000


def test_an_answer_of_an_earlier_run_is_found_and_marked_as_cached(tmp_path):
    ResponseCache(tmp_path, LIMIT).put(KEY, ANSWER)
    later = ResponseCache(tmp_path, LIMIT)
    assert later.get(KEY) == replace(ANSWER, from_cache=True)
    assert later.hits == 1


def test_with_refresh_answers_are_replaced_and_not_used(tmp_path):
    ResponseCache(tmp_path, LIMIT).put(KEY, ANSWER)
    refreshing = ResponseCache(tmp_path, LIMIT, refresh=True)
    assert refreshing.get(KEY) is None
    refreshing.put(KEY, replace(ANSWER, text="newer"))
    cached = ResponseCache(tmp_path, LIMIT).get(KEY)
    assert cached is not None
    assert cached.text == "newer"


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"format_version": 1}', b'{"format_version":2,"completion":{"text":""}}']
)
def test_an_unreadable_answer_is_not_used(tmp_path, content):
    answers = ResponseCache(tmp_path, LIMIT)
    answers.put(KEY, ANSWER)
    (path,) = tmp_path.rglob("*.json")
    path.write_bytes(content)
    assert answers.get(KEY) is None
    answers.put(KEY, ANSWER)
    assert answers.get(KEY) == replace(ANSWER, from_cache=True)


def test_a_folder_that_cannot_be_written_caches_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    answers = ResponseCache(tmp_path / "file", LIMIT)
    answers.put(KEY, ANSWER)
    assert answers.get(KEY) is None


def test_concurrent_writers_of_one_answer_leave_one_complete_file(tmp_path):
    long = replace(ANSWER, text="x" * 200_000)
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(
                lambda number: (ResponseCache(tmp_path, LIMIT).put(KEY, long), ResponseCache(tmp_path, LIMIT).get(KEY))[
                    1
                ],
                range(64),
            )
        )
    assert found == [replace(long, from_cache=True)] * 64
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_everything_that_an_answer_depends_on_is_part_of_its_key():
    changed = [
        ("anthropic", {}, REQUEST, 1),
        ("openai", {"base_url": "http://localhost"}, REQUEST, 1),
        ("openai", {"options": {"top_k": 3}}, REQUEST, 1),
        ("openai", {}, REQUEST, 2),
        *(
            ("openai", {}, replace(REQUEST, **change), 1)
            for change in (
                {"model": "large"},
                {"system": ""},
                {"prompt": "Write it!"},
                {"temperature": 0.5},
                {"max_tokens": 5},
                {"seed": None},
                {"top_p": 0.5},
                {"stop": ("END",)},
                {"reasoning_effort": "low"},
                {"options": {"x": 1}},
            )
        ),
    ]
    assert len({KEY, *(key_of(*each) for each in changed)}) == 1 + len(changed)


def test_settings_that_cannot_change_an_answer_are_not_part_of_its_key():
    settings = {"api_key": "secret", "concurrency": 3, "timeout_secs": 5, "prices": {}, "type": "openai"}
    assert key_of("openai", settings, REQUEST, 1) == KEY


def kept_answers(folder: Path, count: int) -> list[str]:
    """Write that many long answers, used on successive days; the first is the least recently used."""
    keys = [key_of("openai", {}, REQUEST, number) for number in range(count)]
    answers = ResponseCache(folder, 10**9)
    for age, key in zip(reversed(range(1, count + 1)), keys, strict=True):
        answers.put(key, replace(ANSWER, text="x" * 20_000))
        os.utime(answers._path(key), ns=(0, time.time_ns() - age * 2 * 86_400 * 10**9))
    return keys


def there(folder: Path, keys: list[str]) -> list[bool]:
    return [ResponseCache(folder, LIMIT)._path(key).exists() for key in keys]


def test_the_least_recently_used_answers_are_deleted_until_the_rest_fits(tmp_path):
    keys = kept_answers(tmp_path, 10)
    whole = response_cache.contents(tmp_path)
    assert whole.answers == 10
    assert 200_000 < whole.bytes < 300_000

    response_cache.prune(tmp_path, whole.bytes)
    assert there(tmp_path, keys) == [True] * 10

    response_cache.prune(
        tmp_path, whole.bytes - 1
    )  # to nine tenths of it, so that the next answer does not prune again
    assert there(tmp_path, keys) == [False] * 2 + [True] * 8


def test_an_answer_that_is_used_again_is_deleted_later(tmp_path):
    keys = kept_answers(tmp_path, 10)
    assert ResponseCache(tmp_path, LIMIT).get(keys[0]) is not None

    response_cache.prune(tmp_path, response_cache.contents(tmp_path).bytes // 2)

    assert there(tmp_path, keys) == [True] + [False] * 6 + [True] * 3


def test_closing_prunes_the_folder_after_answers_were_added(tmp_path):
    keys = kept_answers(tmp_path, 10)
    size = response_cache.contents(tmp_path).bytes
    reader = ResponseCache(tmp_path, size // 2)
    reader.get(keys[9])
    reader.close()
    assert response_cache.contents(tmp_path).answers == 10  # nothing new, nothing to look for

    writer = ResponseCache(tmp_path, size // 2)
    writer.put(KEY, replace(ANSWER, text="new"))
    writer.close()

    assert response_cache.contents(tmp_path).bytes <= size // 2
    assert ResponseCache(tmp_path, LIMIT).get(KEY) is not None


def test_clearing_removes_leftover_temporary_files_and_no_foreign_files(tmp_path):
    (key,) = kept_answers(tmp_path, 1)
    folder = tmp_path / key[:2]
    (folder / f"{key}.json.123-456").write_text("half an ans")
    (folder / "notes.txt").write_text("mine")
    (tmp_path / "report.json").write_text("mine, too")

    response_cache.clear(tmp_path)

    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["notes.txt", "report.json"]
    assert response_cache.contents(tmp_path) == response_cache.ResponseCacheContents(
        folder=tmp_path, answers=0, bytes=0
    )


def test_a_missing_folder_is_an_empty_cache(tmp_path):
    assert response_cache.contents(tmp_path / "none").answers == 0
    response_cache.prune(tmp_path / "none", 0)
    response_cache.clear(tmp_path / "none")
    assert not (tmp_path / "none").exists()
