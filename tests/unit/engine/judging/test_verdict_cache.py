from __future__ import annotations

import contextlib
import hashlib
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from forgetest.engine.judging import verdict_cache
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.errors import UserError
from specimens import a_diagnostic, a_verdict

PLENTY = 1 << 30

_WRITER = """
import hashlib, sys
from pathlib import Path
from forgetest.engine.judging.verdict_cache import VerdictCache
from specimens import a_verdict

kept = VerdictCache(Path(sys.argv[1]), 1 << 30, announce=lambda problem: sys.exit(problem))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    name = str(number)
    kept.put(hashlib.sha256(name.encode()).digest(), a_verdict(test_ms=float(number)))
    print(number, flush=True)
kept.close()
"""


def key(name: object) -> bytes:
    return hashlib.sha256(str(name).encode()).digest()


def writer(folder: Path, first: int, end: int) -> subprocess.Popen[str]:
    """A process that keeps the verdicts of these numbers, and says so of each when it is kept."""
    tests = Path(__file__).parents[3]
    words = [sys.executable, "-c", _WRITER, str(folder), str(first), str(end)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(tests)})


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[VerdictCache]:
    with contextlib.closing(VerdictCache(tmp_path, PLENTY)) as opened:
        yield opened


def test_what_was_kept_is_found_by_its_key_alone(kept: VerdictCache) -> None:
    verdict = a_verdict(failed=1, lints=2)
    kept.put(key("a"), verdict)

    assert kept.get(key("a")) == verdict
    assert kept.get(key("b")) is None


def test_of_two_verdicts_on_the_same_the_first_counts(kept: VerdictCache) -> None:
    first, second = a_verdict(test_ms=1.0), a_verdict(test_ms=2.0)

    assert kept.put(key("a"), first) == first
    assert kept.put(key("a"), second) == first
    assert kept.get(key("a")) == first
    assert kept.hits == 1


def test_a_verdict_outlives_the_process(tmp_path: Path) -> None:
    with contextlib.closing(VerdictCache(tmp_path, PLENTY)) as first:
        first.put(key("a"), a_verdict())

    with contextlib.closing(VerdictCache(tmp_path, PLENTY)) as second:
        assert second.get(key("a")) == a_verdict()


def test_only_its_owner_can_read_the_file(kept: VerdictCache) -> None:
    assert kept.path.stat().st_mode & 0o077 == 0


def test_processes_that_start_and_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [writer(tmp_path, first, first + 150) for first in (0, 100, 200, 300)]  # some write the same
    for each in writers:
        each.communicate(timeout=120)

    assert [each.returncode for each in writers] == [0, 0, 0, 0]
    with contextlib.closing(VerdictCache(tmp_path, PLENTY)) as kept:
        assert [n for n in range(450) if kept.get(key(n)) != a_verdict(test_ms=float(n))] == []


@pytest.mark.parametrize("moment", [0, 2, 5, *(pytest.param(moment, marks=pytest.mark.slow) for moment in (1, 3, 4))])
def test_a_kill_at_any_moment_loses_nothing_that_was_kept(tmp_path: Path, moment: int) -> None:
    victim, other = writer(tmp_path, 0, 100_000), writer(tmp_path, 100_000, 100_200)
    assert victim.stdout
    for _ in range(1 + moment * 40):
        assert victim.stdout.readline()
    time.sleep(moment * 0.003)
    victim.send_signal(signal.SIGKILL)
    acknowledged = [int(line) for line in victim.communicate(timeout=120)[0].splitlines() if line]
    other.communicate(timeout=120)

    assert victim.returncode == -signal.SIGKILL
    assert other.returncode == 0
    with contextlib.closing(sqlite3.connect(tmp_path / verdict_cache.FILENAME)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with contextlib.closing(VerdictCache(tmp_path, PLENTY)) as kept:
        promised = [*range(max(acknowledged, default=0)), *range(100_000, 100_200)]
        assert [n for n in promised if kept.get(key(n)) != a_verdict(test_ms=float(n))] == []
        kept.put(key("more"), a_verdict())
        assert kept.get(key("more")) == a_verdict()


def test_threads_share_a_cache(kept: VerdictCache) -> None:
    wrong: list[int] = []

    def work(first: int) -> None:
        for number in range(first, first + 200):
            verdict = a_verdict(test_ms=float(number))
            kept.put(key(number), verdict)
            if kept.get(key(number)) != verdict:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 100, 200, 300)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []


def test_it_stays_within_its_bounds_and_keeps_what_was_used_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit, days = 1_000_000, iter(range(10**6))
    monkeypatch.setattr(verdict_cache, "_today", lambda: next(days))

    with contextlib.closing(VerdictCache(tmp_path, limit)) as kept:
        kept.put(key("loved"), a_verdict())
        for number in range(3000):
            kept.put(key(number), a_verdict(errors=(a_diagnostic(random.Random(number).randbytes(500).hex()),)))
            if number % 100 == 0:
                assert kept.get(key("loved")) is not None

    left = verdict_cache.contents(tmp_path)
    assert left.bytes <= limit
    assert (tmp_path / verdict_cache.FILENAME).stat().st_size <= limit
    assert 0 < left.verdicts < 3000
    with contextlib.closing(VerdictCache(tmp_path, limit)) as kept:
        assert kept.get(key("loved")) is not None
        assert kept.get(key(2999)) is not None
        assert kept.get(key(0)) is None


def test_pruning_and_clearing_by_hand(tmp_path: Path) -> None:
    with contextlib.closing(VerdictCache(tmp_path, PLENTY)) as kept:
        for number in range(3000):
            kept.put(key(number), a_verdict(test_ms=float(number)))
        size = verdict_cache.contents(tmp_path).bytes

        verdict_cache.prune(tmp_path, size)
        assert verdict_cache.contents(tmp_path).verdicts == 3000
        verdict_cache.prune(tmp_path, size // 2)
        assert 0 < verdict_cache.contents(tmp_path).verdicts < 2000
        assert verdict_cache.contents(tmp_path).bytes <= size // 2
        verdict_cache.clear(tmp_path)
        assert verdict_cache.contents(tmp_path).verdicts == 0

        kept.put(key("a"), a_verdict())  # whoever has it open goes on
        assert kept.get(key("a")) == a_verdict()


def test_where_there_is_none_there_is_nothing_to_show_prune_or_clear(tmp_path: Path) -> None:
    verdict_cache.prune(tmp_path, 0)
    verdict_cache.clear(tmp_path)

    assert verdict_cache.contents(tmp_path).verdicts == 0
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_broken_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / verdict_cache.FILENAME).write_bytes(b"no database at all, but long enough to look like one" * 100)

    with contextlib.closing(VerdictCache(tmp_path, PLENTY, announce=pytest.fail)) as kept:
        kept.put(key("a"), a_verdict())
        assert kept.get(key("a")) == a_verdict()


def test_a_verdict_that_cannot_be_read_is_as_good_as_none(kept: VerdictCache) -> None:
    kept.put(key("a"), a_verdict())
    with contextlib.closing(sqlite3.connect(kept.path, isolation_level=None)) as database:
        database.execute("UPDATE verdicts SET verdict = x'0102'")

    assert kept.get(key("a")) is None
    kept.put(key("a"), a_verdict())
    assert kept.get(key("a")) == a_verdict()


def test_where_nothing_can_be_kept_that_is_said_once_and_judging_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    messages: list[str] = []

    kept = VerdictCache(tmp_path / "file" / "cache", PLENTY, announce=messages.append)
    kept.put(key("a"), a_verdict())
    assert kept.get(key("a")) is None
    kept.close()

    assert len(messages) == 1
    assert "verdicts are not kept" in messages[0]


def test_a_user_who_asks_for_a_cache_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / verdict_cache.FILENAME).mkdir()

    with pytest.raises(UserError, match=verdict_cache.FILENAME):
        verdict_cache.contents(tmp_path)


def test_several_are_found_at_once_and_each_is_a_hit(kept: VerdictCache) -> None:
    for number in range(5):
        kept.put(key(number), a_verdict(test_ms=float(number)))

    wanted = [key(3), key("none"), key(1), key(3)]
    found = kept.get_all(wanted)

    assert found == {key(number): a_verdict(test_ms=float(number)) for number in (1, 3)}
    assert kept.hits == 3
    assert kept.get_all([]) == {}


@pytest.mark.parametrize("warnings", [0, 100])
def test_small_and_large_verdicts_are_found_as_they_were(kept: VerdictCache, warnings: int) -> None:
    verdict = a_verdict(lints=warnings)
    kept.put(key("a"), verdict)

    with contextlib.closing(sqlite3.connect(kept.path)) as database:
        (data,) = database.execute("SELECT verdict FROM verdicts").fetchone()
    assert (data[:1] == b"\x78") == (warnings == 100)
    assert kept.get(key("a")) == verdict


def test_verdicts_that_an_older_version_has_compressed_are_found(kept: VerdictCache) -> None:
    kept.put(key("a"), a_verdict())
    with contextlib.closing(sqlite3.connect(kept.path)) as database, database:
        data = zlib.compress(msgspec.msgpack.encode(a_verdict(failed=1)), 1)
        database.execute("UPDATE verdicts SET verdict = ?", (data,))

    assert kept.get(key("a")) == a_verdict(failed=1)
