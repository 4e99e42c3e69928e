"""Answers → judged samples: extract, run what the toolchain asks for, hold it against the case."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from forgetest import extraction
from forgetest.engine.judging.exclusive_lock import Gate
from forgetest.engine.judging.single_flight import Once
from forgetest.engine.judging.step_runner import Workshop
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.engine.judging.verdict_key import case_key, is_lasting, verdict_key
from forgetest.errors import MachineryError
from forgetest.evalset import Case, EvalSet
from forgetest.sample import Completion
from forgetest.toolchains import Prepared, Sample, Sharing, Toolchain
from forgetest.verdict import Condition, Execution, Limits, Mount, Step, Verdict

_TRIES = 3
"""How often a sample is judged anew when our own machinery fails; the last time alone, when there is most room."""
_PAUSE_S = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What became of an answer."""

    verdict: Verdict | None = None
    code: str | None = None
    reason: str | None = None
    """Why there is no verdict."""
    unjudged: bool = False
    wall_ms: float = 0.0


class Asked(NamedTuple):
    """An answer, and what it is an answer to."""

    eval_set: EvalSet
    case: Case
    completion: Completion


class _Answered(NamedTuple):
    """An answer's code; or why it is not judged as code, with what there is of it."""

    eval_set: EvalSet
    case: Case
    code: str | None
    reason: str | None


class Judge:
    """Judges answers; safe to call from many threads."""

    def __init__(
        self,
        workshop: Workshop,
        toolchains: Mapping[str, Toolchain],
        sandbox_level: str,
        cache: VerdictCache | None = None,
        *,
        sharing: bool = True,
    ) -> None:
        """`toolchains` by language; without a cache, every sample is judged anew; without `sharing`, each by itself."""
        self._workshop = workshop
        self._toolchains = toolchains
        self._sandbox_level = sandbox_level
        self._cache = cache
        # asked once: whether an object has a function takes longer than looking a verdict up
        self._sharing = {name for name, each in toolchains.items() if sharing and isinstance(each, Sharing)}
        self._level = sandbox_level if sharing else f"{sandbox_level}, each by itself"
        self._case_keys: dict[tuple[str, str], bytes] = {}
        self._at_once: Once[Verdict] = Once()
        self._prepared: dict[tuple[str, str], Prepared] = {}
        self._locks: dict[tuple[str, str], threading.Lock] = {}
        self._lock = threading.Lock()
        self._gate = Gate()

    def prepare(self, eval_set: EvalSet, case: Case) -> Prepared:
        """Make ready for samples of a case, once."""
        key = (eval_set.id, case.id)
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._prepared:
                self._prepared[key] = self._workshop.prepare(self._toolchains[case.language], case)
            return self._prepared[key]

    def known(self, asked: Sequence[Asked]) -> dict[int, Judgement]:
        """Of those that nothing need be run for, what becomes of them, by their places."""
        started = time.monotonic()
        found: dict[int, Judgement] = {}
        keys: dict[int, bytes] = {}
        codes: dict[int, str] = {}
        for place, (eval_set, case, completion) in enumerate(asked):
            code, reason = code_of(completion, case.language)
            if reason is not None or code is None:
                found[place] = Judgement(code=code, reason=reason)
            elif self._cache is not None and case.expectations.custom_check is None:
                with contextlib.suppress(MachineryError, OSError):  # met again, and told, where it is judged
                    keys[place] = self._key(eval_set, case, code)
                    codes[place] = code
        if self._cache is not None and keys:
            verdicts = self._cache.get_all(keys.values())
            share_ms = (time.monotonic() - started) * 1000 / len(asked)
            for place, key in keys.items():
                if (verdict := verdicts.get(key)) is not None:
                    found[place] = Judgement(verdict=verdict, code=codes[place], wall_ms=share_ms)
        return found

    def judge_together(self, asked: Sequence[Asked]) -> Iterator[list[tuple[int, Judgement]]]:
        """Judge several answers, and let them share what they can share; with their places, as they finish."""
        started = time.monotonic()
        answered = [
            _Answered(each.eval_set, each.case, *code_of(each.completion, each.case.language)) for each in asked
        ]
        seen = self._seen_together(answered) if len(asked) > 1 else {}
        share_ms = (time.monotonic() - started) * 1000 / max(1, len(asked))

        def judged(place: int) -> tuple[int, Judgement]:
            return place, self._judged(answered[place], seen=seen.get(place), before_ms=share_ms)

        at_once = [place for place in seen if answered[place].case.expectations.custom_check is None]
        if at_once:
            yield [judged(place) for place in at_once]
        for place in sorted(set(range(len(asked))).difference(at_once)):
            yield [judged(place)]

    def judge(self, eval_set: EvalSet, case: Case, completion: Completion, *, anew: bool = False) -> Judgement:
        """Judge one answer; `anew`: whatever was observed of it before."""
        return self._judged(_Answered(eval_set, case, *code_of(completion, case.language)), anew=anew)

    def _judged(
        self, answered: _Answered, *, anew: bool = False, seen: Verdict | None = None, before_ms: float = 0.0
    ) -> Judgement:
        """`seen`: what was just observed of it in company; `before_ms`: what it has taken already."""
        started = time.monotonic() - before_ms / 1000
        eval_set, case, code, reason = answered
        if reason is not None or code is None:
            return Judgement(code=code, reason=reason, wall_ms=before_ms)
        for tries_left in reversed(range(_TRIES)):
            try:
                verdict = seen or self._verdict(eval_set, case, code, alone=not tries_left, anew=anew)
                if case.expectations.custom_check is not None:
                    # any program of this machine: what it says is not kept
                    verdict = replace(verdict, conditions=(*verdict.conditions, self._custom_check(case, code)))
            except (MachineryError, OSError) as error:  # the machine says no: no room, no process, no descriptor
                if tries_left:
                    time.sleep(_PAUSE_S)  # a full disk or memory may have room again
                    continue
                took = (time.monotonic() - started) * 1000
                return Judgement(code=code, reason=str(error), unjudged=True, wall_ms=took)
            return Judgement(verdict=verdict, code=code, wall_ms=(time.monotonic() - started) * 1000)
        raise AssertionError("the last try returns")

    def _verdict(self, eval_set: EvalSet, case: Case, code: str, *, alone: bool, anew: bool) -> Verdict:
        """The raw verdict, from before where there is one."""
        prepared, cache = self.prepare(eval_set, case), self._cache
        if cache is None or anew:
            return self._observe(prepared, case, code, alone=alone)[0]
        key = self._key(eval_set, case, code)

        def look_or_judge() -> Verdict:
            if (known := cache.get(key)) is not None:
                return known
            verdict, lasting = self._observe(prepared, case, code, alone=alone)
            return cache.put(key, verdict) if lasting else verdict

        return self._at_once.do(key, look_or_judge)

    def _seen_together(self, answered: Sequence[_Answered]) -> dict[int, Verdict]:
        """The raw verdicts on those that share, by their places; whatever goes wrong, each is judged by itself."""
        seen: dict[int, Verdict] = {}
        waiting: dict[str, dict[int, Sample]] = {}
        keys: dict[int, bytes] = {}
        try:
            for index, (eval_set, case, code, reason) in enumerate(answered):
                if code is None or reason is not None or case.language not in self._sharing:
                    continue
                prepared = self.prepare(eval_set, case)
                sample = Sample(prepared=prepared, case=case, code=code)
                waiting.setdefault(case.language, {})[index] = sample
                if self._cache is not None:
                    keys[index] = self._key(eval_set, case, code)
            if self._cache is not None:
                known = self._cache.get_all(keys.values())
                seen = {index: known[key] for index, key in keys.items() if key in known}
            for samples in waiting.values():
                for index in seen.keys() & samples.keys():
                    del samples[index]
            for language, samples in waiting.items():
                if len(samples) > 1:
                    seen |= self._observe_together(language, samples, keys)
        except (MachineryError, OSError):
            pass  # it is tried again with each by itself, and told of each
        return seen

    def _observe_together(
        self, language: str, samples: Mapping[int, Sample], keys: Mapping[int, bytes]
    ) -> dict[int, Verdict]:
        toolchain = self._toolchains[language]
        assert isinstance(toolchain, Sharing)
        listed = list(samples.values())
        executions: list[Execution] = []
        while isinstance(answer := toolchain.together(listed, executions), Step):
            executions.append(self._run(answer))
        found = {index: verdict for index, verdict in zip(samples, answer, strict=True) if verdict is not None}
        for index, verdict in found.items():
            found[index] = replace(verdict, provenance=replace(verdict.provenance, sandbox=self._sandbox_level))
            if self._cache is not None and is_lasting(verdict, executions, samples[index].case):
                found[index] = self._cache.put(keys[index], found[index])
        return found

    def _key(self, eval_set: EvalSet, case: Case, code: str) -> bytes:
        """What the cache knows a sample's verdict by."""
        of_case = (eval_set.id, case.id)
        if of_case not in self._case_keys:
            toolchain, prepared = self._toolchains[case.language], self.prepare(eval_set, case)
            self._case_keys[of_case] = case_key(toolchain, prepared, case, self._level)
        return verdict_key(self._case_keys[of_case], code)

    def _observe(self, prepared: Prepared, case: Case, code: str, *, alone: bool) -> tuple[Verdict, bool]:
        """What the toolchain sees of a sample, and whether it would see it another day."""
        toolchain = self._toolchains[case.language]
        executions: list[Execution] = []
        while isinstance(answer := toolchain.next(prepared, case, code, executions), Step):
            executions.append(self._run(replace(answer, alone=alone or answer.alone)))
        verdict = replace(answer, provenance=replace(answer.provenance, sandbox=self._sandbox_level))
        return verdict, is_lasting(verdict, executions, case)

    def _run(self, step: Step) -> Execution:
        with self._gate.passing(alone=step.alone):
            execution = self._workshop.run(step)
        if execution.ended == "signalled" and execution.exit_code == -9:
            raise MachineryError(f"{step.name}: killed from outside, as a machine does that is out of memory")
        return execution

    def _custom_check(self, case: Case, code: str) -> Condition:
        assert case.expectations.custom_check is not None
        system = ("/usr", "/bin", "/lib", "/lib64")
        step = Step(
            name="custom check",
            argv=("/bin/sh", "-c", case.expectations.custom_check),
            stdin=code.encode(errors="replace"),
            env={"PATH": "/usr/bin:/bin"},
            mounts=tuple(Mount(source=path, target=path, optional=True) for path in system),
            limits=Limits(cpu_s=case.timeout_secs, wall_s=3 * case.timeout_secs + 10),
        )
        execution = self._run(step)
        if execution.ended == "wall_limit":
            execution = self._run(replace(step, alone=True))  # others may have been in its way
        told = execution.stderr.decode(errors="replace").strip()
        detail = "" if execution.succeeded else f"{execution.ended} {execution.exit_code} {told}".strip()[:500]
        return Condition(name="custom_check", holds=execution.succeeded, detail=detail)


def code_of(completion: Completion, language: str) -> tuple[str | None, str | None]:
    """The code in an answer; or why it is not judged as code, with what there is of it."""
    if completion.finish == "refusal":
        return None, "the model refused"
    if not completion.text.strip():
        return None, "the answer is empty"
    code = completion.text if completion.verbatim else extraction.extract(completion.text, language)
    if completion.finish == "length":
        return code, "the answer was cut off by the token limit"
    return code, None if code is not None else "the answer has no code"
