"""Verification of a run: its repository's tests, on the base and on the result, run by us."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path

from forgetest import config as forgetest_config
from forgetest.errors import MachineryError, UserError
from nerv import config
from nerv.verification import acceptance, comparison
from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import Host, NotPrepared, Preparation, Say, SuiteReport, UntrustedReport
from nerv.verification.ecosystems.all import Project, find_projects
from nerv.verification.repository import RepositorySource, Trees, read_trees
from nerv.verification.result import SuiteResult, TestSource, Verification
from nerv.verification.result import Tree as TreeName
from nerv.verification.sandboxed import DEFAULT_SANDBOX, TestSandbox, open_test_sandbox
from nerv.verification.trees import NotVerifiable, Tree

_CPU_S = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationOptions:
    """Options for verifying a run."""

    tests: str | None = None
    """Command of the user's acceptance tests, run in the result."""
    tests_folder: Path | None = None
    """Folder with their files, read-only at `/tests`."""
    cpu_s: float = _CPU_S
    sandbox: str = DEFAULT_SANDBOX


def verify(source: RepositorySource, options: VerificationOptions, say: Say) -> Verification:
    """Run the tests of a repository; never raises for what the repository or the machine lacks."""
    try:
        trees = read_trees(source)
        projects = find_projects(*([trees.base] if trees.base is not None else []), trees.result)
        if not projects and options.tests is None:
            return Verification(skipped="the repository declares no tests that nerv knows; name some with --tests CMD")
        cache_folder = forgetest_config.cache_folder()
        host = Host(cache_folder=cache_folder, environment=config.preparation_environment(), say=say)
        with open_test_sandbox(options.sandbox, cache_folder, options.cpu_s) as sandbox:
            verifier = _Verifier(trees=trees, sandbox=sandbox, host=host)
            return verifier.verify(projects, options)
    except (NotVerifiable, UserError, MachineryError) as error:
        return Verification(skipped=str(error))


@dataclass(slots=True, kw_only=True)
class _Verifier:
    """One verification under way."""

    trees: Trees
    sandbox: TestSandbox
    host: Host
    suites: list[SuiteResult] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)

    def verify(self, projects: tuple[Project, ...], options: VerificationOptions) -> Verification:
        found = Verification()
        for project in projects:
            found = _add_project(found, project, self._run_project(project))
        accepted = None
        if options.tests is not None:
            self.host.say(f"verifying: {options.tests}")
            preparation = self._prepare_all(projects)
            suite, accepted = acceptance.run(
                self.trees.result, options.tests, options.tests_folder, self.sandbox, preparation
            )
            self.suites.append(suite)
        return Verification(
            suites=tuple(self.suites),
            broken=found.broken,
            rewritten=found.rewritten,
            removed=found.removed,
            shown=found.shown,
            idle=found.idle,
            failing=found.failing,
            builds=found.builds,
            forged=found.forged,
            accepted=accepted,
            notes=tuple(self.notes),
        )

    def _run_project(self, project: Project) -> ProjectRuns:
        result = self.trees.result
        changed = self.trees.changed_files(project)
        if self.trees.base is None:
            return ProjectRuns(own=self._run(project, result, "result", "changed"), changed_files=changed)
        base = self.trees.base
        baseline = self._run(project, base, "base", "base")
        with_old_tests = self.trees.overlay(project, result, base)
        guarded = self._run(project, with_old_tests, "result", "base", tests=base)
        if _lost(baseline, guarded):  # once more: a test that fails by chance is not broken
            again = self._run(project, with_old_tests, "result", "base", tests=base, is_repeated=True)
            guarded = _better_of(guarded, again)
        if not changed:
            return ProjectRuns(baseline=baseline, guarded=guarded, own=guarded)
        own = self._run(project, result, "result", "changed")
        if comparison.failing_tests(ProjectRuns(baseline=baseline, own=own, changed_files=changed)):
            own = _better_of(own, self._run(project, result, "result", "changed", is_repeated=True))
        with_new_tests = self.trees.overlay(project, base, result)
        transplanted = self._run(project, with_new_tests, "base", "changed", tests=result)
        return ProjectRuns(
            baseline=baseline, guarded=guarded, own=own, transplanted=transplanted, changed_files=changed
        )

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
        control = f"control_{secrets.token_hex(6)}"
        files = project.files(tree)
        command = project.ecosystem.command(files, project.files(tree if tests is None else tests), control)
        whose = "the base's" if source == "base" else "the result's"
        self.host.say(f"verifying: {whose} tests on the {name} ({command.shown})")
        try:
            preparation = project.ecosystem.prepare(files, self.host)
            self.notes.update(dict.fromkeys(preparation.notes))
            execution = self.sandbox.run(tree, project.folder, command, preparation)
            report = project.ecosystem.read_report(files, execution, control)
            self.notes.update(dict.fromkeys(report.notes))
        except NotPrepared as error:
            report = SuiteReport(problem=str(error), unavailable=True)
        except UntrustedReport as error:
            report = SuiteReport(problem=f"its report cannot be trusted: {error}", is_forged=error.passed)
        if is_repeated:
            self.suites.pop()
        self.suites.append(
            SuiteResult(
                tree=name,
                source=source,
                command=command.shown,
                outcomes=dict(report.outcomes),
                project=project.folder,
                runner=project.ecosystem.NAME,
                problem=report.problem,
                broken_build=report.broken_build,
            )
        )
        return report

    def _prepare_all(self, projects: tuple[Project, ...]) -> Preparation:
        found = Preparation()
        for project in projects:
            try:
                one = project.ecosystem.prepare(project.files(self.trees.result), self.host)
            except NotPrepared:
                continue
            known = {mount.target for mount in found.mounts}
            found = Preparation(
                mounts=(*found.mounts, *(mount for mount in one.mounts if mount.target not in known)),
                environment={**found.environment, **one.environment},
            )
        return found


def _lost(baseline: SuiteReport, guarded: SuiteReport) -> bool:
    return any(
        outcome == "passed" and guarded.outcomes.get(name) != "passed" for name, outcome in baseline.outcomes.items()
    )


def _better_of(first: SuiteReport, second: SuiteReport) -> SuiteReport:
    """Return the second report with the passes of the first: what passed once is not broken."""
    passed = {name: outcome for name, outcome in first.outcomes.items() if outcome == "passed"}
    return replace(second, outcomes={**second.outcomes, **passed}, files={**first.files, **second.files})


def _add_project(found: Verification, project: Project, runs: ProjectRuns) -> Verification:
    """Add one project's results."""

    def shown_as(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(f"{project.folder}: {name}" if project.folder else name for name in names)

    broken = comparison.broken_tests(runs)
    shown, idle = comparison.shown_and_idle_tests(runs)
    builds = comparison.builds(runs)
    return Verification(
        broken=(*found.broken, *shown_as(broken)),
        removed=(*found.removed, *shown_as(comparison.removed_tests(runs, broken))),
        rewritten=(*found.rewritten, *shown_as(comparison.rewritten_tests(runs, broken))),
        shown=(*found.shown, *shown_as(shown)),
        idle=(*found.idle, *shown_as(idle)),
        failing=(*found.failing, *shown_as(comparison.failing_tests(runs))),
        forged=found.forged or comparison.is_forged(runs),
        builds=found.builds if builds is None else builds and found.builds is not False,
    )
