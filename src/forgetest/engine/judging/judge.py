"""Judge: runs what the toolchain asks for in a sandbox until there is a verdict on each sample."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from forgetest import language as languages
from forgetest.engine.judging import confirmation, program_sharing
from forgetest.engine.judging.exclusive_lock import ExclusiveLock
from forgetest.engine.judging.io_judging import BuiltCheckers, IoJudging
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.recheck import differences, recheck
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.judging.verdict_key import is_lasting
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask
from forgetest.toolchains import PreparedSample, Sharing
from forgetest.toolchains.programs import SharedPrograms
from forgetest.verdict import Condition, Execution, Limits, Mount, Step, Verdict

CUSTOM_CHECK = "custom_check"
"""Name of the condition that a case's own command decides."""

_TRIES = 3
"""Number of tries when our own machinery fails; the last one runs alone, with the most resources."""
_PAUSE_S = 0.2
_SYSTEM_FOLDERS = ("/usr", "/bin", "/lib", "/lib64")


class _Observation(NamedTuple):
    """A raw verdict, and whether it would be the same at another time."""

    verdict: Verdict
    lasting: bool


class Judge:
    """Judges samples. Thread-safe."""

    def __init__(
        self,
        runner: StepRunner,
        cases: PreparedCases,
        sandbox_level: str,
        *,
        sharing: bool = True,
        confirm_failures: bool = False,
        audit_chance: float | None = None,
    ) -> None:
        """Without `sharing`, each sample is compiled separately.

        `confirm_failures`: judge every shared failure again alone, and not only one now and then. `audit_chance`: that
        one of a group is, now and then; by default, as often as the language says.
        """
        self._runner = runner
        self._cases = cases
        self._sandbox_level = sandbox_level
        self._sharing = sharing
        self._confirm_failures = confirm_failures
        self._audit_chance = audit_chance
        self._lock = ExclusiveLock()
        self._checkers: BuiltCheckers = {}

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[list[Judged]]:
        """Judge a group, which shares compiler calls and launches where it can; yield results as they finish."""
        started = time.monotonic()
        observed = self._observe_group(group)
        share_ms = (time.monotonic() - started) * 1000 / max(1, len(group))
        complete = [index for index in observed if not _is_work_left(group[index])]
        if complete:
            yield [self._judge(group[index], observed[index], share_ms) for index in complete]
        left = sorted(set(range(len(group))).difference(complete))
        for samples in self._launches([index for index in left if index not in observed], group):
            started = time.monotonic()
            shared = self._observe_programs(samples)
            took_ms = (time.monotonic() - started) * 1000 / len(samples)
            if shared:
                yield [self._judge(group[index], observation, took_ms) for index, observation in shared.items()]
            left = [index for index in left if index not in shared]
        for index in left:
            yield [self._judge(group[index], observed.get(index), share_ms)]

    def _judge(self, task: JudgeTask, observed: _Observation | None, before_ms: float) -> Judged:
        """Judge one sample. `before_ms`: the time that it has taken already."""
        started = time.monotonic() - before_ms / 1000
        try:
            verdict, lasting = self._complete_verdict(task, observed)
        except (MachineryError, OSError) as error:
            wall_ms = (time.monotonic() - started) * 1000
            return Judged(number=task.number, reason=str(error), wall_ms=wall_ms)
        wall_ms = (time.monotonic() - started) * 1000
        again = recheck(lambda: self._judge_again(task), verdict, task.recheck) if task.recheck else None
        return Judged(number=task.number, verdict=verdict, lasting=lasting, recheck=again, wall_ms=wall_ms)

    def _judge_again(self, task: JudgeTask) -> Verdict | None:
        """Return another verdict on the same sample; None where our machinery fails."""
        try:
            return self._complete_verdict(task, None).verdict
        except (MachineryError, OSError):
            return None

    def _complete_verdict(self, task: JudgeTask, observed: _Observation | None) -> _Observation:
        """Return the verdict with the case's own check, which may be any program, so its result is never cached."""
        for tries_left in reversed(range(_TRIES)):
            try:
                verdict, lasting = observed or self._observe(task.case, task.code, alone=not tries_left)
                if task.case.expectations.custom_check is not None and not _has_custom_check(verdict):
                    condition = self._run_custom_check(task.case, task.code)
                    verdict = replace(verdict, conditions=(*verdict.conditions, condition))
                return _Observation(verdict, lasting)
            except (MachineryError, OSError):  # the machine has no room, no process, no descriptor left
                if not tries_left:
                    raise
                time.sleep(_PAUSE_S)  # a full disk or memory may have room again
        raise AssertionError("the last try returns or raises")

    def _observe_group(self, group: Sequence[JudgeTask]) -> dict[int, _Observation]:
        """Return known and shared observations by index. After a failure, each sample is judged separately."""
        observed = {i: _Observation(task.verdict, lasting=False) for i, task in enumerate(group) if task.verdict}
        if not self._sharing or len(group) < 2:
            return observed
        waiting: dict[str, dict[int, PreparedSample]] = {}
        self._cases.prepare_many(task.case for index, task in enumerate(group) if index not in observed)
        try:
            # asked once: a look at a protocol takes longer than the rest of this
            names = {task.case.language for task in group}
            sharing = {name for name in names if isinstance(self._cases.toolchain(name), Sharing)}
            for index, task in enumerate(group):
                if index not in observed and task.case.io is None and task.case.language in sharing:
                    sample = PreparedSample(prepared=self._cases.prepare(task.case), case=task.case, code=task.code)
                    waiting.setdefault(task.case.language, {})[index] = sample
            for language, samples in waiting.items():
                if len(samples) > 1:
                    observed |= self._observe_together(language, samples)
        except (MachineryError, OSError):
            pass  # the failure is met again, and reported, where each sample is judged
        return observed

    def _launches(self, indices: Sequence[int], group: Sequence[JudgeTask]) -> Iterator[dict[int, PreparedSample]]:
        """Yield the programs among these samples that share a launch, by index; the others are judged separately."""
        samples: dict[int, PreparedSample] = {}
        for index in indices if self._sharing else ():
            case = group[index].case
            try:
                if program_sharing.can_share(case, self._cases.toolchain(case.language)):
                    prepared = self._cases.prepare(case)
                    samples[index] = PreparedSample(prepared=prepared, case=case, code=group[index].code)
            except (MachineryError, OSError):
                continue  # it is met again, and reported, where the sample is judged
        yield from program_sharing.launches(samples)

    def _observe_together(self, language: str, samples: Mapping[int, PreparedSample]) -> Mapping[int, _Observation]:
        toolchain = self._cases.toolchain(language)
        assert isinstance(toolchain, Sharing)
        group = list(samples.values())
        executions: list[Execution] = []
        while isinstance(answer := toolchain.together(group, executions), Step):
            executions.append(self._run(answer))
        shared = {
            index: self._observation(verdict, executions, sample.case)
            for (index, sample), verdict in zip(samples.items(), answer, strict=True)
            if verdict is not None
        }
        return self._confirm(language, samples, shared)

    def _observe_programs(self, samples: Mapping[int, PreparedSample]) -> Mapping[int, _Observation]:
        """Return shared observations of programs in one language. After a failure, each is judged separately."""
        language = next(iter(samples.values())).case.language
        toolchain = self._cases.toolchain(language)
        assert isinstance(toolchain, SharedPrograms)
        shared: dict[int, _Observation] = {}
        try:
            first_runs, executions = program_sharing.run_together(toolchain, samples, self._run)
            for index, first in first_runs.items():
                case, code = samples[index].case, samples[index].code
                judging = IoJudging(self._cases, self._run, case, self._checkers)
                verdict = judging.judge(code, first.program, first.results)
                shared[index] = self._observation(verdict, [*executions, *judging.executions], case)
            return self._confirm(language, samples, shared)
        except (MachineryError, OSError):
            return {}

    def _confirm(
        self, language: str, samples: Mapping[int, PreparedSample], shared: Mapping[int, _Observation]
    ) -> Mapping[int, _Observation]:
        """Return the observations that count; whatever is missing is judged alone."""
        failed = [index for index, observation in shared.items() if confirmation.has_failed(observation.verdict)]
        if self._confirm_failures:
            return {index: observation for index, observation in shared.items() if index not in failed}
        chance = self._audit_chance
        if chance is None:
            chance = confirmation.audit_chance(len(samples), languages.find(language).samples_per_audit)
        audited = confirmation.draw_audit(failed, chance)
        if audited is None:
            return shared
        alone = self._observe(samples[audited].case, samples[audited].code, alone=False)
        is_same = not any(differences(shared[audited].verdict, alone.verdict))
        # one sample that fares differently alone: nothing of this group counts
        return {**shared, audited: alone} if is_same else {audited: alone}

    def _observe(self, case: Case, code: str, *, alone: bool) -> _Observation:
        if case.io is not None:

            def run(step: Step) -> Execution:
                return self._run(replace(step, alone=alone or step.alone))

            judging = IoJudging(self._cases, run, case, self._checkers)
            verdict = judging.judge(code)
            return self._observation(verdict, judging.executions, case)
        toolchain, prepared = self._cases.toolchain(case.language), self._cases.prepare(case)
        executions: list[Execution] = []
        while isinstance(answer := toolchain.next(prepared, case, code, executions), Step):
            executions.append(self._run(replace(answer, alone=alone or answer.alone)))
        return self._observation(answer, executions, case)

    def _observation(self, verdict: Verdict, executions: Sequence[Execution], case: Case) -> _Observation:
        sandboxed = replace(verdict, provenance=replace(verdict.provenance, sandbox=self._sandbox_level))
        return _Observation(sandboxed, is_lasting(verdict, executions, case))

    def _run(self, step: Step) -> Execution:
        with self._lock.exclusive() if step.alone else self._lock.shared():
            execution = self._runner.run(step)
        if execution.ended == "signalled" and execution.exit_code == -9:
            raise MachineryError(f"{step.name}: killed from outside, as a machine does that is out of memory")
        return execution

    def _run_custom_check(self, case: Case, code: str) -> Condition:
        assert case.expectations.custom_check is not None
        step = Step(
            name="custom check",
            argv=("/bin/sh", "-c", case.expectations.custom_check),
            stdin=code.encode(errors="replace"),
            env={"PATH": "/usr/bin:/bin"},
            mounts=tuple(Mount(source=path, target=path, optional=True) for path in _SYSTEM_FOLDERS),
            limits=Limits(cpu_s=case.timeout_secs, wall_s=3 * case.timeout_secs + 10),
        )
        execution = self._run(step)
        if execution.ended == "wall_limit":
            execution = self._run(replace(step, alone=True))  # other samples may have slowed it down
        stderr = execution.stderr.decode(errors="replace").strip()
        detail = "" if execution.succeeded else f"{execution.ended} {execution.exit_code} {stderr}".strip()[:500]
        return Condition(name=CUSTOM_CHECK, holds=execution.succeeded, detail=detail)


def without_custom_check(verdict: Verdict) -> Verdict:
    """Return the raw verdict, which may be cached."""
    if not _has_custom_check(verdict):
        return verdict
    return replace(verdict, conditions=tuple(c for c in verdict.conditions if c.name != CUSTOM_CHECK))


def _has_custom_check(verdict: Verdict) -> bool:
    return any(condition.name == CUSTOM_CHECK for condition in verdict.conditions)


def _is_work_left(task: JudgeTask) -> bool:
    """Return whether more must run once the sample has been observed."""
    return task.recheck > 0 or task.case.expectations.custom_check is not None
