"""Verification of a run: its repository's tests, on the base and on the result, run by us."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from forgetest import config as forgetest_config
from forgetest.errors import MachineryError, UserError
from nerv import config
from nerv.spec.examples import Example
from nerv.verification import (
    acceptance,
    comparison,
    lenient_tests,
    renamed_tests,
    restored_code,
    spec_examples,
    watched_tests,
)
from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import (
    PROJECT,
    TIME_LIMITS,
    Host,
    NotPrepared,
    Preparation,
    Say,
    SuiteReport,
    UntrustedReport,
    unreported,
)
from nerv.verification.ecosystems.all import Project, find_projects
from nerv.verification.experiments import SLOW_SUITE_S, TOO_SLOW, Experiments, FunctionProbe
from nerv.verification.mutants import Mutate
from nerv.verification.renamed_tests import WordProbe
from nerv.verification.repository import RepositorySource, Trees, read_trees
from nerv.verification.result import ExampleResult, Mutant, Restoration, SuiteResult, TestSource, Verification
from nerv.verification.result import Tree as TreeName
from nerv.verification.sandboxed import DEFAULT_SANDBOX, TestSandbox, open_test_sandbox
from nerv.verification.stored_suites import StoredSuites
from nerv.verification.suite_memory import KnownSuite, SuiteMemory, suite_key
from nerv.verification.trees import NotVerifiable, Tree

DEFAULT_MUTANTS = 10
_CPU_S = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationOptions:
    """Options for verifying a run."""

    tests: str | None = None
    """Command of the user's acceptance tests, run in the result."""
    tests_folder: Path | None = None
    """Folder with their files, read-only at `/tests`."""
    spec: str = ""
    """The spec's text: variables of the environment that it names are part of what was asked for."""
    examples: tuple[Example, ...] = ()
    """Examples of the spec, which are run on the result."""
    mutate: Mutate | None = None
    """Proposes small changes to what the run wrote; None: none are tried."""
    mutants: int = DEFAULT_MUTANTS
    """Number of them that are tried in each project."""
    is_superseded: Callable[[str], bool] = lambda _: False
    """Tells which tests of the base the spec supersedes: one that fails does not end the verification."""
    is_disputed: Callable[[str, bool | None], bool] = lambda _name, _is_restorable: False
    """Tells which of the others it may supersede, given whether they pass again without a part of the change that no
    other test needs; None: not known. Such a test does not end the verification, either."""
    probe: FunctionProbe | None = None
    """Disables what the run wrote, to find tests that pass without it, and functions that no test needs; None: not."""
    words: WordProbe | None = None
    """Exchanges names in tests, to find code that knows only theirs; None: not."""
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
            bases = StoredSuites(cache_folder / "verification" / "suites", options.cpu_s)
            verifier = _Verifier(trees=trees, sandbox=sandbox, host=host, memory=options.memory, bases=bases)
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
    bases: SuiteMemory | None = None
    """Suites of bases that were run before; None: each is run."""
    suites: list[SuiteResult] = field(default_factory=list)
    examples: list[ExampleResult] = field(default_factory=list)
    mutants: list[Mutant] = field(default_factory=list)
    detached: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    unheld: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    restorable: list[Restoration] = field(default_factory=list)
    entangled: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    watched: list[str] = field(default_factory=list)
    switched_off: list[str] = field(default_factory=list)
    dulled: list[str] = field(default_factory=list)
    unmoved: list[str] = field(default_factory=list)
    by_name: list[str] = field(default_factory=list)
    known_names: list[str] = field(default_factory=list)
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
                self.examples += self._run_examples(project, options.examples)
            excused = self._excused(project, runs, found, options)
            if not replace(found, broken=tuple(name for name in found.broken if name not in excused)).vetoes:
                self._experiment(project, runs, options)
        accepted = None
        if options.tests is not None:
            self.host.say(f"verifying: {options.tests}")
            preparation = self._prepare_all(projects)
            suite, accepted = acceptance.run(
                self.trees.result, options.tests, options.tests_folder, self.sandbox, preparation
            )
            self.suites.append(suite)
        return replace(
            found,
            suites=tuple(self.suites),
            accepted=accepted,
            examples=tuple(self.examples),
            mutants=tuple(self.mutants),
            restorable=tuple(self.restorable),
            entangled=tuple(self.entangled),
            detached=tuple(self.detached),
            silent=tuple(self.silent),
            doubled=tuple(self.doubled),
            unheld=tuple(self.unheld),
            unseen=tuple(self.unseen),
            replaced=tuple(self.replaced),
            watched=tuple(self.watched),
            switched_off=tuple(self.switched_off),
            dulled=tuple(dict.fromkeys(self.dulled)),
            unmoved=tuple(self.unmoved),
            by_name=tuple(self.by_name),
            known_names=tuple(self.known_names),
            notes=tuple(self.notes),
        )

    def _excused(
        self, project: Project, runs: ProjectRuns, found: Verification, options: VerificationOptions
    ) -> frozenset[str]:
        """Return the broken tests that the spec supersedes, or may supersede by what taking back the change shows."""
        superseded = {name for name in found.broken if options.is_superseded(name)}
        broken = comparison.broken_tests(runs)
        doubtful = {
            name: shown
            for name, shown in zip(broken, _shown_as(project, broken), strict=True)
            if shown not in superseded
        }
        is_restorable: dict[str, bool | None] = {}
        if doubtful and found.builds is not False and not found.forged:
            restorations = restored_code.find_restorations(self._experiments(project, runs), doubtful)
            for name, restoration in restorations.items():
                is_restorable[name] = restoration is not None
                if restoration is None:
                    self.entangled.append(doubtful[name])
                else:
                    self.restorable.append(replace(restoration, test=doubtful[name]))
        disputed = (shown for name, shown in doubtful.items() if options.is_disputed(shown, is_restorable.get(name)))
        return frozenset({*superseded, *disputed})

    def _run_examples(self, project: Project, examples: tuple[Example, ...]) -> Iterator[ExampleResult]:
        """Run examples on the result, and the wrong ones on the base: one that holds there may describe the fault."""
        results = spec_examples.run(project, self.trees.result, examples, self.sandbox, self.host)
        wrong = {each.call for each in results if each.status == "wrong"}
        before: set[tuple[str, str]] = set()
        if wrong and self.trees.base is not None:
            suspects = [example for example in examples if example.written_out and str(example) in wrong]
            on_base = spec_examples.run(project, self.trees.base, suspects, self.sandbox, self.host)
            before = {(each.call, each.expected) for each in on_base if each.status == "holds"}
        for each in results:
            if each.status == "wrong" and (each.call, each.expected) in before:
                self.notes[f"{each}. The base gives that, too: the spec may describe the fault there"] = None
                yield replace(each, status="unknown")
            else:
                yield each

    def _experiment(self, project: Project, runs: ProjectRuns, options: VerificationOptions) -> None:
        """Run the result's tests on changed code, as far as the options ask for it."""
        experiments = self._experiments(project, runs)
        if self.slowest_s > SLOW_SUITE_S:
            self.notes[TOO_SLOW] = None
        if not experiments.are_possible:
            return
        self.watched += _shown_as(project, watched_tests.find_watched_tests(experiments, options.spec))
        self.switched_off += _shown_as(project, watched_tests.find_switched_off_tests(experiments))
        if options.words is not None:
            tests, names = renamed_tests.find_tests_by_name(experiments, options.words, options.spec)
            self.by_name += _shown_as(project, tests)
            self.known_names += names
        if options.probe is not None:
            self.detached += _shown_as(project, experiments.find_detached_tests(options.probe.disable))
            refuse = options.probe.refuse or options.probe.disable
            self.dulled += _shown_as(project, lenient_tests.find_dulled_tests(experiments, refuse))
            if options.probe.break_assertions is not None:
                self.silent += _shown_as(project, experiments.find_silent_tests(options.probe.break_assertions))
            if options.probe.undo_doubles is not None and options.probe.replaceable_names is not None:
                doubled = experiments.find_doubled_tests(options.probe.undo_doubles, options.probe.replaceable_names)
                self.doubled += _shown_as(project, doubled)
            if options.probe.hollow is not None:
                self.unmoved += _shown_as(project, lenient_tests.find_unmoved_tests(experiments, options.probe.hollow))
        if options.mutate is not None:
            tried = experiments.try_mutants(options.mutate, options.mutants)
            self.mutants += (mutant for _, mutant in tried)
            survivors = [mutation for mutation, mutant in tried if mutant.status == "survived"]
            self.dulled += _shown_as(project, lenient_tests.find_slackened_tests(experiments, survivors))
        if options.probe is not None:
            unheld = experiments.find_unheld_functions(options.probe, self.mutants)
            self.unheld += unheld
            self.unseen += experiments.find_unseen_functions(options.probe, unheld, self.mutants)
            self.replaced += experiments.find_replaced_functions(options.probe)

    def _experiments(self, project: Project, runs: ProjectRuns) -> Experiments:
        return Experiments(
            project=project,
            trees=self.trees,
            runs=runs,
            sandbox=self.sandbox,
            host=self.host,
            slowest_s=self.slowest_s,
            memory=self.memory,
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
        if _lost(baseline, guarded) and _may_end_otherwise(guarded):  # once more: a failure by chance breaks nothing
            again = self._run(project, with_old_tests, "result", "base", tests=base, is_repeated=True)
            guarded = _better_of(guarded, again)
        if not changed:
            return ProjectRuns(baseline=baseline, guarded=guarded, own=guarded)
        own = self._run(project, result, "result", "changed")
        failing = comparison.failing_tests(ProjectRuns(baseline=baseline, own=own, changed_files=changed))
        if failing and _may_end_otherwise(own):
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
        seconds, timed_out = 0.0, False
        try:
            preparation = project.ecosystem.prepare(files, self.host)
            self.notes.update(dict.fromkeys(preparation.notes))
            execution = self.sandbox.run(tree, project.folder, command, preparation)
            seconds = execution.wall_ms / 1000
            self.slowest_s = max(self.slowest_s, seconds)
            timed_out = execution.ended in TIME_LIMITS
            report = project.ecosystem.read_report(files, execution, control)
            self.notes.update(dict.fromkeys(report.notes))
        except NotPrepared as error:
            report = SuiteReport(problem=str(error), unavailable=True)
        except UntrustedReport as error:
            reason = (
                unreported(execution) if timed_out and not error.passed else f"its report cannot be trusted: {error}"
            )
            report = SuiteReport(problem=reason, is_forged=error.passed)
        problem = report.problem.replace(f"{PROJECT}/", "")  # the sandbox's folders say nothing to the reader
        report = replace(report, problem=problem, timed_out=timed_out)
        if is_repeated:
            self.suites.pop()
        elif key is not None and memory is not None and not report.unavailable:
            memory[key] = KnownSuite(report=report, shown=command.shown, seconds=seconds)
        self.suites.append(_suite_result(project, name, source, command.shown, report))
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


def _shown_as(project: Project, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names of tests with the folder of their project, unless that is the root."""
    return tuple(f"{project.folder}: {name}" if project.folder else name for name in names)


def _passed_new_tests(runs: ProjectRuns) -> tuple[str, ...]:
    outcomes = {} if runs.own is None else runs.own.outcomes
    return tuple(name for name in comparison.new_tests(runs) if outcomes[name] == "passed")


def _add_project(found: Verification, project: Project, runs: ProjectRuns) -> Verification:
    """Add one project's results."""
    broken = comparison.broken_tests(runs)
    shown, idle = comparison.shown_and_idle_tests(runs)
    builds = comparison.builds(runs)
    return Verification(
        broken=(*found.broken, *_shown_as(project, broken)),
        removed=(*found.removed, *_shown_as(project, comparison.removed_tests(runs, broken))),
        rewritten=(*found.rewritten, *_shown_as(project, comparison.rewritten_tests(runs, broken))),
        new=(*found.new, *_shown_as(project, _passed_new_tests(runs))),
        shown=(*found.shown, *_shown_as(project, shown)),
        idle=(*found.idle, *_shown_as(project, idle)),
        failing=(*found.failing, *_shown_as(project, comparison.failing_tests(runs))),
        forged=found.forged or comparison.is_forged(runs),
        builds=found.builds if builds is None else builds and found.builds is not False,
    )
