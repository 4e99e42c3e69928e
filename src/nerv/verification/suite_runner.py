"""The suites of a verification: the base's and the result's tests, each run on both trees."""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass, field, replace

from nerv.verification import comparison
from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import (
    PROJECT,
    TIME_LIMITS,
    Host,
    NotPrepared,
    Preparation,
    SuiteReport,
    UntrustedReport,
    unreported,
)
from nerv.verification.ecosystems.all import Project
from nerv.verification.progress import told_each_minute
from nerv.verification.related_tests import SHARES, related_tests
from nerv.verification.repository import Trees
from nerv.verification.result import SuiteResult, TestSource
from nerv.verification.result import Tree as TreeName
from nerv.verification.sandboxed import TestSandbox
from nerv.verification.suite_memory import KnownSuite, SuiteMemory, suite_key
from nerv.verification.trees import Tree

_SLOW = 4
"""A suite that takes more than this part of its time limit may exceed it in another run, on a busy machine."""


@dataclass(slots=True, kw_only=True)
class SuiteRunner:
    """Runs suites, and remembers what they showed."""

    trees: Trees
    sandbox: TestSandbox
    host: Host
    memory: SuiteMemory | None = None
    bases: SuiteMemory | None = None
    """Suites of bases that were run before; None: each is run."""
    suites: list[SuiteResult] = field(default_factory=list)
    slowest_s: float = 0.0
    """CPU time of the slowest run so far."""
    notes: dict[str, None] = field(default_factory=dict)
    patience: int = 1
    """Multiple of the time limit: the result may take longer than a base that came close to it."""

    def run_project(self, project: Project) -> tuple[Project, ProjectRuns]:
        """Run the tests of both trees of a project, each on both, as far as there are two.

        The project is returned with the test files that the runner reported beyond those known by their paths.
        """
        if self.trees.base is None:
            own = self._run(project, self.trees.result, "result", "changed")
            project = project.with_reported(own, self.trees.result)
            return project, ProjectRuns(own=own, changed_files=self.trees.changed_files(project))
        slowest_s, self.patience = self.slowest_s, 1
        baseline = self._run(project, self.trees.base, "base", "base")
        if (
            baseline.timed_out
            and not baseline.outcomes
            and (on_related := self._run_related(project, slowest_s)) is not None
        ):
            baseline = on_related
        base, result = self.trees.base, self.trees.result
        if self.slowest_s > self.sandbox.limits.cpu_s / _SLOW:
            self.patience = 2
        project = project.with_reported(baseline, base)
        with_old_tests = self.trees.overlay(project, result, base)
        guarded = self._run(project, with_old_tests, "result", "base", tests=base)
        if _lost(baseline, guarded) and _may_end_otherwise(guarded):  # once more: a failure by chance breaks nothing
            again = self._run(project, with_old_tests, "result", "base", tests=base, is_repeated=True)
            guarded = _better_of(guarded, again)
        # of new files, only a report tells that they are tests, where the names of the old ones do not
        project = project.with_reported(guarded, result)
        changed = self.trees.changed_files(project)
        if not changed:
            return project, ProjectRuns(baseline=baseline, guarded=guarded, own=guarded)
        own = self._run(project, result, "result", "changed")
        failing = comparison.failing_tests(ProjectRuns(baseline=baseline, own=own, changed_files=changed))
        if failing and _may_end_otherwise(own):
            own = _better_of(own, self._run(project, result, "result", "changed", is_repeated=True))
        with_new_tests = self.trees.overlay(project, base, result)
        transplanted = self._run(project, with_new_tests, "base", "changed", tests=result)
        return project, ProjectRuns(
            baseline=baseline, guarded=guarded, own=own, transplanted=transplanted, changed_files=changed
        )

    def _run_related(self, project: Project, slowest_s: float) -> SuiteReport | None:
        """Run the base's tests without those that the change is not about; None if they take too long or show nothing.

        All later runs are without them, too. `slowest_s`: CPU time of the slowest run before.
        """
        before = self.trees, self.slowest_s, self.suites.copy(), self.notes.copy()
        late = f"the base's tests did not end within the time limit (--test-timeout {self.sandbox.limits.cpu_s:.0f})"
        fewest = math.inf
        for share in SHARES:
            related = related_tests(project, before[0], share)
            if related is None or related.trees.base is None or related.kept >= fewest:
                break
            fewest = related.kept
            those = f"{related.kept} of {related.whole} test files, those that the change is about"
            self.host.say(f"{late}; trying {those}")
            self.trees, self.slowest_s = related.trees, slowest_s
            self.suites.pop()
            report = self._run(project, related.trees.base, "base", "base")
            if not report.timed_out and "passed" in report.outcomes.values():
                self.notes[f"{late}, so only {those}, were run"] = None
                return report
        self.trees, self.slowest_s, self.suites, self.notes = before
        return None

    def _run(
        self,
        project: Project,
        tree: Tree,
        name: TreeName,
        source: TestSource,
        *,
        tests: Tree | None = None,
        is_repeated: bool = False,
    ) -> SuiteReport:
        files, test_files = project.files(tree), project.files(tree if tests is None else tests)
        memory = self.memory if self.memory is not None else self.bases if (name, source) == ("base", "base") else None
        key = None if is_repeated or memory is None else suite_key(project, tree, test_files)
        known = None if key is None or memory is None else memory.get(key)
        if known is not None:
            self.slowest_s = max(self.slowest_s, known.seconds)
            self.suites.append(_suite_result(project, name, source, known.shown, known.report))
            return known.report
        control = f"control_{secrets.token_hex(6)}"
        command = project.ecosystem.command(files, test_files, control)
        whose = "the base's" if source == "base" else "the result's"
        self.host.say(f"verifying: {whose} tests on the {name} ({command.shown})")
        seconds, ended = 0.0, ""
        try:
            preparation = project.prepare(tree, self.host)
            self.notes.update(dict.fromkeys(preparation.notes))
            with told_each_minute(self.host.say, f"verifying: {whose} tests on the {name}"):
                execution = self.sandbox.with_patience(self.patience).run(tree, project.folder, command, preparation)
            seconds = execution.cpu_ms / 1000
            self.slowest_s = max(self.slowest_s, seconds)
            ended = execution.ended
            report = project.ecosystem.read_report(files, execution, control)
            self.notes.update(dict.fromkeys(report.notes))
            if not report.outcomes and not report.problem:
                self.notes[f"{command.shown} finds none of {whose} tests on the {name}"] = None
        except NotPrepared as error:
            report = SuiteReport(problem=str(error), unavailable=True)
        except UntrustedReport as error:
            reason = (
                unreported(execution)
                if ended in TIME_LIMITS and not error.passed
                else f"its report cannot be trusted: {error}"
            )
            report = SuiteReport(problem=reason, is_forged=error.passed)
        problem = report.problem.replace(f"{PROJECT}/", "")  # the sandbox's folders say nothing to the reader
        report = replace(report, problem=problem, timed_out=ended in TIME_LIMITS)
        if is_repeated:
            self.suites.pop()
        elif key is not None and memory is not None and not report.unavailable and ended != "wall_limit":
            memory[key] = KnownSuite(report=report, shown=command.shown, seconds=seconds)
        self.suites.append(_suite_result(project, name, source, command.shown, report))
        return report

    def prepare_all(self, projects: tuple[Project, ...]) -> Preparation:
        """Return what all projects of the result need together; what cannot be prepared is left out."""
        found = Preparation()
        for project in projects:
            try:
                one = project.prepare(self.trees.result, self.host)
            except NotPrepared:
                continue
            known = {mount.target for mount in found.mounts}
            found = Preparation(
                mounts=(*found.mounts, *(mount for mount in one.mounts if mount.target not in known)),
                environment={**found.environment, **one.environment},
            )
        return found


def _suite_result(
    project: Project, tree: TreeName, source: TestSource, command: str, report: SuiteReport
) -> SuiteResult:
    return SuiteResult(
        tree=tree,
        source=source,
        command=command,
        outcomes=dict(report.outcomes),
        project=project.folder,
        runner=project.ecosystem.NAME,
        problem=report.problem,
        broken_build=report.broken_build,
    )


def _may_end_otherwise(report: SuiteReport) -> bool:
    """Return whether a second run is worth its time: tests may fail by chance, builds do not."""
    return not (report.timed_out or report.unavailable or report.broken_build)


def _lost(baseline: SuiteReport, guarded: SuiteReport) -> bool:
    return any(
        outcome == "passed" and guarded.outcomes.get(name) != "passed" for name, outcome in baseline.outcomes.items()
    )


def _better_of(first: SuiteReport, second: SuiteReport) -> SuiteReport:
    """Return the second report with the passes of the first: what passed once is not broken."""
    passed = {name: outcome for name, outcome in first.outcomes.items() if outcome == "passed"}
    return replace(second, outcomes={**second.outcomes, **passed}, files={**first.files, **second.files})
