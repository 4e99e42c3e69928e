"""Verification of a run: its repository's tests, on the base and on the result, run by us."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path

from forgetest import config as forgetest_config
from forgetest.errors import MachineryError, UserError
from nerv import config
from nerv.spec.examples import Example
from nerv.verification import acceptance, comparison, mutants, spec_examples
from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import Host, NotPrepared, Preparation, Say, SuiteReport, UntrustedReport
from nerv.verification.ecosystems.all import Project, find_projects
from nerv.verification.mutants import Mutate, Mutation
from nerv.verification.repository import RepositorySource, Trees, read_trees
from nerv.verification.result import LEAST_NOTICED, ExampleResult, Mutant, SuiteResult, TestSource, Verification
from nerv.verification.result import Tree as TreeName
from nerv.verification.sandboxed import DEFAULT_SANDBOX, TestSandbox, open_test_sandbox
from nerv.verification.suite_memory import KnownSuite, SuiteMemory, suite_key
from nerv.verification.trees import NotVerifiable, Tree

DEFAULT_MUTANTS = 10
_CPU_S = 300.0
_MUTANT_CPU_S, _MUTANT_FACTOR = 10.0, 2
"""Limit for the tests of a mutant, which may loop forever: the least, and as a multiple of the slowest run before."""
_ENOUGH = 4
"""Noticed changes, at least, after which no more are tried."""
_SLOW_SUITE_S = 30.0
"""Wall time of a suite that is too slow to be run once for each mutant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationOptions:
    """Options for verifying a run."""

    tests: str | None = None
    """Command of the user's acceptance tests, run in the result."""
    tests_folder: Path | None = None
    """Folder with their files, read-only at `/tests`."""
    examples: tuple[Example, ...] = ()
    """Examples of the spec, which are run on the result."""
    mutate: Mutate | None = None
    """Proposes small changes to what the run wrote; None: none are tried."""
    mutants: int = DEFAULT_MUTANTS
    """Number of them that are tried in each project."""
    cpu_s: float = _CPU_S
    sandbox: str = DEFAULT_SANDBOX
    memory: SuiteMemory | None = None
    """Suites that were run before; None: each is run. For measuring many runs of the same projects."""


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
            verifier = _Verifier(trees=trees, sandbox=sandbox, host=host, memory=options.memory)
            return verifier.verify(projects, options)
    except (NotVerifiable, UserError, MachineryError) as error:
        return Verification(skipped=str(error))


@dataclass(slots=True, kw_only=True)
class _Verifier:
    """One verification under way."""

    trees: Trees
    sandbox: TestSandbox
    host: Host
    memory: SuiteMemory | None = None
    suites: list[SuiteResult] = field(default_factory=list)
    examples: list[ExampleResult] = field(default_factory=list)
    mutants: list[Mutant] = field(default_factory=list)
    slowest_s: float = 0.0
    """Wall time of the slowest run so far."""
    notes: dict[str, None] = field(default_factory=dict)

    def verify(self, projects: tuple[Project, ...], options: VerificationOptions) -> Verification:
        found = Verification()
        for project in projects:
            runs = self._run_project(project)
            found = _add_project(found, project, runs)
            if options.examples and found.builds is not False and not found.forged:
                self.host.say(f"verifying: the spec's examples ({len(options.examples)})")
                self.examples += spec_examples.run(
                    project, self.trees.result, options.examples, self.sandbox, self.host
                )
            if not found.vetoes and options.mutate is not None:
                self.mutants += self._try_mutants(project, runs, options.mutate, options.mutants)
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
            examples=tuple(self.examples),
            mutants=tuple(self.mutants),
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
        files, test_files = project.files(tree), project.files(tree if tests is None else tests)
        key = None if is_repeated or self.memory is None else suite_key(project, tree, test_files)
        known = None if key is None or self.memory is None else self.memory.get(key)
        if known is not None:
            self.slowest_s = max(self.slowest_s, known.seconds)
            self.suites.append(_suite_result(project, name, source, known.shown, known.report))
            return known.report
        control = f"control_{secrets.token_hex(6)}"
        command = project.ecosystem.command(files, test_files, control)
        whose = "the base's" if source == "base" else "the result's"
        self.host.say(f"verifying: {whose} tests on the {name} ({command.shown})")
        seconds = 0.0
        try:
            preparation = project.ecosystem.prepare(files, self.host)
            self.notes.update(dict.fromkeys(preparation.notes))
            execution = self.sandbox.run(tree, project.folder, command, preparation)
            seconds = execution.wall_ms / 1000
            self.slowest_s = max(self.slowest_s, seconds)
            report = project.ecosystem.read_report(files, execution, control)
            self.notes.update(dict.fromkeys(report.notes))
        except NotPrepared as error:
            report = SuiteReport(problem=str(error), unavailable=True)
        except UntrustedReport as error:
            report = SuiteReport(problem=f"its report cannot be trusted: {error}", is_forged=error.passed)
        if is_repeated:
            self.suites.pop()
        elif key is not None and self.memory is not None and not report.unavailable:
            self.memory[key] = KnownSuite(report=report, shown=command.shown, seconds=seconds)
        self.suites.append(_suite_result(project, name, source, command.shown, report))
        return report

    def _try_mutants(self, project: Project, runs: ProjectRuns, mutate: Mutate, most: int) -> list[Mutant]:
        """Run the result's tests on small changes to what the run wrote in this project."""
        own = runs.own
        if own is None or "passed" not in own.outcomes.values():
            return []
        if self.slowest_s > _SLOW_SUITE_S:
            self.notes["the tests take too long to be tried on small changes to the code"] = None
            return []
        below = f"{project.folder}/" if project.folder else ""

        def is_left_alone(path: str) -> bool:
            return not path.startswith(below) or project.ecosystem.is_test_file(path[len(below) :])

        chosen = mutants.choose(mutate, self.trees.base, self.trees.result, is_left_alone, most)
        if chosen:
            self.host.say(f"verifying: do the tests notice changes to the code? (at most {len(chosen)} tried)")
        tried: list[Mutant] = []
        for one in mutants.in_order(chosen):
            tried.append(one.outcome(noticed=self._is_noticed(project, one, own)))
            if sum(each.status == "killed" for each in tried) >= max(_ENOUGH, LEAST_NOTICED * len(chosen)):
                break  # whatever the others show, the tests notice enough
        return sorted(tried, key=lambda each: (each.path, each.line))

    def _is_noticed(self, project: Project, mutation: Mutation, own: SuiteReport) -> bool | None:
        """Return whether a test that passes on the result fails with this change; None if the change does not build."""
        result = self.trees.result
        tree = {**result, mutation.path: replace(result[mutation.path], content=mutation.content)}
        files = project.files(tree)
        key = None if self.memory is None else suite_key(project, tree, files)
        known = None if key is None or self.memory is None else self.memory.get(key)
        report = self._run_mutant(project, tree) if known is None else known.report
        if report is None or report.broken_build or report.unavailable:
            return None
        if key is not None and self.memory is not None:
            self.memory[key] = KnownSuite(report=report, shown="", seconds=0.0)
        passed = (name for name, outcome in own.outcomes.items() if outcome == "passed")
        return any(report.outcomes.get(name) != "passed" for name in passed)

    def _run_mutant(self, project: Project, tree: Tree) -> SuiteReport | None:
        """Run the tests of a changed result; None if that is not possible, no outcomes if the change ends the run."""
        control = f"control_{secrets.token_hex(6)}"
        files = project.files(tree)
        command = project.ecosystem.command(files, files, control)
        try:
            preparation = project.ecosystem.prepare(files, self.host)
            cpu_s = max(_MUTANT_CPU_S, _MUTANT_FACTOR * self.slowest_s)
            limits = replace(self.sandbox.limits, cpu_s=cpu_s, wall_s=4 * cpu_s)
            execution = replace(self.sandbox, limits=limits).run(tree, project.folder, command, preparation)
            return project.ecosystem.read_report(files, execution, control)
        except NotPrepared:
            return None
        except UntrustedReport:
            return SuiteReport()  # the change ended the tests before ours was run

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
