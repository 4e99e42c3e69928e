"""Cached verdicts spare judging again; `forgetest cache` shows and prunes them."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

import pytest

import workbench
from forgetest import config
from forgetest.engine.asking.response_cache import ResponseCache
from forgetest.sample import Completion
from workbench import BROKEN, LINTED, RIGHT, WRONG, forgetest, needs_judging, repeatable, report_in

RECORDED = ("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A private cache that holds everything but verdicts."""
    cache = tmp_path_factory.mktemp("cache")
    for kept in ("kept", "steps"):
        if (config.cache_folder() / kept).is_dir():
            with contextlib.suppress(shutil.Error):  # temporary files of other processes
                shutil.copytree(config.cache_folder() / kept, cache / kept, copy_function=_link)
    return cache


def _link(source: str, target: str) -> None:
    """Link a file, which nobody changes once it is there; copy it where the cache is on another file system."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


@pytest.fixture
def env(cache: Path) -> dict[str, str]:
    """An environment with that cache, and no verdict in it."""
    for file in cache.glob("verdicts-*"):
        file.unlink()
    return workbench.environment(FORGETEST_CACHE=str(cache), FORGETEST_CACHE_MB="10")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    workbench.write_set(tmp_path / "set.toml")
    codes = [RIGHT, WRONG, LINTED, BROKEN, RIGHT]
    samples = [{"case_id": "double-1", "code": code, "attempt": n} for n, code in enumerate(codes, start=1)]
    workbench.write_samples(tmp_path / "samples.jsonl", samples)
    return tmp_path


def verdicts(place: Path, env: dict[str, str]) -> int:
    """The number of cached verdicts."""
    finished = forgetest("cache", "info", cwd=place, env=env)
    assert finished.returncode == 0, finished.stderr
    words = dict(line.split(None, 1) for line in finished.stdout.split("\n\n")[0].splitlines())
    assert words["file"].startswith(env["FORGETEST_CACHE"])
    assert words["size"].endswith("of at most 10 MB")
    return int(words["verdicts"])


@needs_judging
def test_a_second_run_takes_its_verdicts_from_the_cache_and_reports_the_same(place: Path, env: dict[str, str]) -> None:
    assert forgetest(*RECORDED, "--output", "cold", cwd=place, env=env).returncode == 0
    assert verdicts(place, env) == 4

    finished = forgetest(*RECORDED, "--output", "warm", cwd=place, env=env)

    assert finished.returncode == 0, finished.stderr
    assert "taken from the cache" in finished.stderr
    assert repeatable(report_in(place / "warm")) == repeatable(report_in(place / "cold"))
    # even the durations are those of the first judging
    cold, warm = (
        [each["timing"]["compilation_ms"] for each in report_in(place / name)["results"]] for name in ("cold", "warm")
    )
    assert cold == warm


@needs_judging
def test_with_caching_disabled_nothing_is_read_from_the_cache_or_written_to_it(
    place: Path, env: dict[str, str]
) -> None:
    finished = forgetest(*RECORDED, "--no-cache", cwd=place, env=env)

    assert finished.returncode == 0, finished.stderr
    assert "taken from the cache" not in finished.stderr
    assert verdicts(place, env) == 0


@needs_judging
def test_cached_verdicts_can_be_pruned_and_cleared(place: Path, env: dict[str, str]) -> None:
    forgetest(*RECORDED, cwd=place, env=env)

    pruned = forgetest("cache", "prune", cwd=place, env=env)
    assert (pruned.returncode, pruned.stdout.split(" (")[0]) == (0, "0 verdicts deleted, 4 left")
    cleared = forgetest("cache", "clear", cwd=place, env=env)
    assert (cleared.returncode, cleared.stdout.split(" (")[0]) == (0, "4 verdicts deleted, 0 left")
    assert verdicts(place, env) == 0
    emptied = forgetest("cache", "prune", "--max-mb", "0", cwd=place, env=env)
    assert emptied.returncode == 0


def test_cached_answers_are_shown_and_pruned_and_cleared_only_on_request(tmp_path: Path) -> None:
    env = workbench.environment(FORGETEST_ANSWERS=str(tmp_path / "kept"), FORGETEST_ANSWERS_MB="3")
    answers = ResponseCache(tmp_path / "kept", max_bytes=10**9)
    for number in range(4):
        answers.put(f"{number:064x}", Completion(text="x" * 1_000_000))

    def cache_output(*words: str) -> list[str]:
        finished = forgetest("cache", *words, cwd=tmp_path, env=env)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout.splitlines()

    assert cache_output("info")[-7:-4] == [
        *(f"folder      {tmp_path}/kept", "answers     4", "size        4.0 MB of at most 3 MB")
    ]
    assert cache_output("prune")[-1] == "2 answers deleted, 2 left (2.0 MB)"
    assert cache_output("prune", "--max-answers-mb", "1")[-1] == "2 answers deleted, 0 left (0.0 MB)"
    answers.put(f"{1:064x}", Completion(text="x"))
    assert cache_output("clear")[-1].startswith("0 answers deleted, 1 left")
    assert cache_output("clear", "--answers")[-1] == "1 answer deleted, 0 left (0.0 MB)"


@needs_judging
def test_a_run_caches_no_answers_if_their_size_limit_is_0(tmp_path: Path) -> None:
    workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml")
    words = ("run", "--eval-set", "set.toml", "--models", "acme/steady")
    env = workbench.environment(FORGETEST_ANSWERS=str(tmp_path / "kept"), FORGETEST_ANSWERS_MB="0")

    refused = forgetest(*words, "--reuse-answers", cwd=tmp_path, env=env)
    assert refused.returncode == 2
    assert "--reuse-answers: answers_mb is 0, so none are kept" in refused.stderr
    finished = forgetest(*words, cwd=tmp_path, env=env)
    assert finished.returncode == 0, finished.stderr
    assert not (tmp_path / "kept").exists()


def test_an_invalid_cache_size_is_an_error(tmp_path: Path) -> None:
    finished = forgetest("cache", "info", cwd=tmp_path, env=workbench.environment(FORGETEST_CACHE_MB="much"))

    assert finished.returncode == 2
    assert "FORGETEST_CACHE_MB=much: not a whole number of megabytes" in finished.stderr


def test_downloaded_models_are_listed(tmp_path: Path) -> None:
    weights = tmp_path / "models" / "smollm2-135m-instruct" / "weights.gguf"
    env = workbench.environment(FORGETEST_CACHE=str(tmp_path))
    info = forgetest("cache", "info", cwd=tmp_path, env=env).stdout.split("\n\n")[2]
    assert info == f"folder      {tmp_path}/models\nmodels      none\nsize        0.0 MB\n"

    weights.parent.mkdir(parents=True)
    weights.write_bytes(bytes(2_500_000))
    (tmp_path / "models" / "smollm2-135m-instruct.lock").touch()
    info = forgetest("cache", "info", cwd=tmp_path, env=env).stdout.split("\n\n")[2]
    assert info == f"folder      {tmp_path}/models\nmodels      smollm2-135m-instruct\nsize        2.5 MB\n"
