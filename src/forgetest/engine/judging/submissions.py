"""Samples on their way to an executor: what is known already is not judged again.

A sample whose verdict is cached needs no judging; one that equals a sample in flight waits for that one's verdict.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, TypeVar

from forgetest.engine.judging.checker_program import checker_case
from forgetest.engine.judging.judge import without_custom_check
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.engine.judging.verdict_key import case_key, verdict_key
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask
from forgetest.verdict import Verdict

_MOST_FOLLOWERS = 4096
"""Samples that may wait for the verdict of an equal one: each is held in memory."""

Owner = TypeVar("Owner")
"""Whatever the caller wants back with a result."""


class CachedVerdicts:
    """Verdict cache addressed by case and code."""

    def __init__(
        self,
        cache: VerdictCache,
        cases: PreparedCases,
        sandbox_level: str,
        *,
        sharing: bool,
        confirm_failures: bool = False,
        slots: int = 1,
    ) -> None:
        """A run that judges more strictly takes no verdict of one that did not. `slots`: for preparing cases."""
        self._slots = slots
        self._cache = cache
        self._cases = cases
        strictness = ", failures confirmed" if confirm_failures else ""
        self._level = f"{sandbox_level}{strictness if sharing else ', each by itself'}"
        self._case_keys: dict[bytes, bytes] = {}

    def key(self, case: Case, code: str) -> bytes | None:
        """Return the key of a sample's verdict; None where its case cannot be prepared, which judging will report."""
        with contextlib.suppress(MachineryError, OSError):
            return verdict_key(self._case_key(case), code)
        return None

    def prepare(self, cases: Iterable[Case]) -> None:
        """Prepare cases whose keys will be wanted, together as far as possible."""
        self._cases.prepare_many(cases, self._slots)

    def get_all(self, keys: Collection[bytes]) -> dict[bytes, Verdict]:
        """Return the cached verdicts among these."""
        return self._cache.get_all(keys) if keys else {}

    def put(self, key: bytes, verdict: Verdict) -> Verdict:
        """Cache a verdict; return the one that counts, which is the first."""
        raw = without_custom_check(verdict)
        counting = self._cache.put(key, raw)
        checks = verdict.conditions[len(raw.conditions) :]
        return verdict if counting is raw else replace(counting, conditions=(*counting.conditions, *checks))

    def _case_key(self, case: Case) -> bytes:
        digest = self._cases.digest(case)
        if digest not in self._case_keys:
            self._case_keys[digest] = self._prepared_case_key(case)
        return self._case_keys[digest]

    def _prepared_case_key(self, case: Case) -> bytes:
        toolchain, prepared = self._cases.toolchain(case.language), self._cases.prepare(case)
        key = case_key(toolchain, prepared, case, self._level)
        if case.io is None or case.io.checker_program is None:
            return key
        # what a checker says may depend on the tools of its own language
        return verdict_key(key + self._prepared_case_key(checker_case(case, case.io.checker_program)), "")


class Submission(NamedTuple, Generic[Owner]):
    """A sample that is to be judged."""

    owner: Owner
    case: Case
    code: str
    verdict: Verdict | None = None
    """Known from an earlier session; only rechecks are left."""
    recheck: int = 0


@dataclass(slots=True)
class _InFlight(Generic[Owner]):
    owner: Owner
    key: bytes | None
    followers: list[Owner] = field(default_factory=list)


class Submissions(Generic[Owner]):
    """The samples of one run, or of one call of `grade_many`. Thread-safe."""

    def __init__(self, verdicts: CachedVerdicts | None) -> None:
        """Without cached verdicts, every sample is judged."""
        self._verdicts = verdicts
        self._lock = threading.Lock()
        self._next_number = 0
        self._in_flight: dict[int, _InFlight[Owner]] = {}
        self._leaders: dict[bytes, _InFlight[Owner]] = {}
        self._follower_count = 0

    @property
    def has_room(self) -> bool:
        """Whether more samples should be submitted before others are settled."""
        return self._follower_count < _MOST_FOLLOWERS

    def submit(self, samples: Sequence[Submission[Owner]]) -> tuple[list[tuple[Owner, Judged]], list[JudgeTask]]:
        """Return the results that are known, and the tasks that are left."""
        started = time.monotonic()
        if self._verdicts is not None:
            self._verdicts.prepare(sample.case for sample in samples if sample.verdict is None)
        keys = [self._key(sample) for sample in samples]
        cached = self._verdicts.get_all({key for key in keys if key is not None}) if self._verdicts else {}
        share_ms = (time.monotonic() - started) * 1000 / max(1, len(samples))
        known: list[tuple[Owner, Judged]] = []
        tasks: list[JudgeTask] = []
        with self._lock:
            for sample, key in zip(samples, keys, strict=True):
                verdict = cached.get(key) if key is not None else None
                if verdict is not None and _is_complete(sample):
                    known.append((sample.owner, Judged(number=-1, verdict=verdict, wall_ms=share_ms)))
                elif key is not None and _is_complete(sample) and key in self._leaders:
                    self._leaders[key].followers.append(sample.owner)
                    self._follower_count += 1
                else:
                    tasks.append(self._task(sample, key, verdict))
        return known, tasks

    def settle(self, judged: Sequence[Judged]) -> list[tuple[Owner, Judged]]:
        """Cache the verdicts of judged tasks, and return each result with its owner."""
        settled: list[tuple[Owner, Judged]] = []
        for result in judged:
            with self._lock:
                flight = self._in_flight[result.number]
            if result.verdict is not None and result.lasting and flight.key is not None and self._verdicts:
                result = replace(result, verdict=self._verdicts.put(flight.key, result.verdict))
            with self._lock:
                # only now: whoever comes later finds the verdict in the cache
                settled += [(owner, result) for owner in self._forget(result.number)]
        return settled

    def withdraw(self, number: int) -> list[Owner]:
        """Forget a task; return those who wait for its result."""
        with self._lock:
            return self._forget(number)

    def withdraw_if(self, number: int, is_unwanted: Callable[[Owner], bool]) -> bool:
        """Forget a task if none of those who wait for its result want it any more; return whether it is forgotten."""
        with self._lock:
            flight = self._in_flight.get(number)
            if flight is None:
                return True
            if not all(is_unwanted(owner) for owner in (flight.owner, *flight.followers)):
                return False
            self._forget(number)
            return True

    def _forget(self, number: int) -> list[Owner]:
        flight = self._in_flight.pop(number, None)
        if flight is None:
            return []
        if flight.key is not None and self._leaders.get(flight.key) is flight:
            del self._leaders[flight.key]
        self._follower_count -= len(flight.followers)
        return [flight.owner, *flight.followers]

    def _key(self, sample: Submission[Owner]) -> bytes | None:
        if self._verdicts is None or sample.verdict is not None:
            return None
        return self._verdicts.key(sample.case, sample.code)

    def _task(self, sample: Submission[Owner], key: bytes | None, cached: Verdict | None) -> JudgeTask:
        self._next_number += 1
        flight = self._in_flight[self._next_number] = _InFlight(sample.owner, key)
        if key is not None and _is_complete(sample):
            self._leaders[key] = flight
        return JudgeTask(
            number=self._next_number,
            case=sample.case,
            code=sample.code,
            verdict=sample.verdict or cached,
            recheck=sample.recheck,
        )


def _is_complete(sample: Submission[Owner]) -> bool:
    """Return whether a raw verdict is all that is wanted of a sample."""
    return not sample.recheck and sample.case.expectations.custom_check is None
