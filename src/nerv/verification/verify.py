"""Verification of a run: its repository's tests, on the base and on the result, run by us."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from forgetest import config as forgetest_config
from forgetest.errors import MachineryError, UserError
from nerv import config
from nerv.spec.examples import Example
from nerv.verification import (
    acceptance,
    comparison,
    early_exits,
    kept_folders,
    lenient_tests,
    renamed_tests,
    restored_code,
    spec_examples,
    watched_tests,
)
from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import Host, Say
from nerv.verification.ecosystems.all import Project, find_projects
from nerv.verification.experiments import SLOW_SUITE_S, TOO_SLOW, Experiments, FunctionProbe
from nerv.verification.mutants import Mutate
from nerv.verification.progress import told_each_minute
from nerv.verification.renamed_tests import WordProbe
from nerv.verification.repository import RepositorySource, read_trees
from nerv.verification.result import ExampleResult, Verification
from nerv.verification.sandboxed import DEFAULT_SANDBOX, open_test_sandbox
from nerv.verification.stored_suites import StoredSuites
from nerv.verification.suite_memory import SuiteMemory
from nerv.verification.suite_runner import SuiteRunner
from nerv.verification.trees import NotVerifiable, Tree

DEFAULT_MUTANTS = 10
DEFAULT_CPU_S = 300.0
_MOST_NAMED = 3
_OF_THE_MACHINE = frozenset({errno.EACCES, errno.EDQUOT, errno.ENOSPC, errno.EPERM, errno.EROFS})
"""Errors of a cache folder that is full, or that may not be written."""


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
    cpu_s: float = DEFAULT_CPU_S
    """CPU time that one run of the tests may take."""
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
        environment = config.preparation_environment()
        with open_test_sandbox(options.sandbox, cache_folder, options.cpu_s) as sandbox:
            host = Host(cache_folder=cache_folder, environment=environment, say=say, build=sandbox.run)
            bases = StoredSuites(cache_folder / "verification" / "suites", options.cpu_s)
            runner = SuiteRunner(trees=trees, sandbox=sandbox, host=host, memory=options.memory, bases=bases)
            if trees.uncommitted:
                runner.notes[_uncommitted_note(trees.uncommitted)] = None
            try:
                return _Verifier(runner=runner, options=options, result=trees.result).verify(projects)
            finally:
                host.in_use.close()
                kept_folders.prune(cache_folder / "verification", config.verification_cache_bytes())
    except (NotVerifiable, UserError, MachineryError) as error:
        return Verification(skipped=str(error))
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        return Verification(skipped=f"{error.filename or 'a temporary file'}: {error.strerror}; make room, or allow it")


def _uncommitted_note(paths: Sequence[str]) -> str:
    named = ", ".join(paths[:_MOST_NAMED]) + (
        f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    )
    return f"the tests ran with changes that are not committed, and that the diff does not have: {named}"


@dataclass(slots=True, kw_only=True)
class _Verifier:
    """One verification under way."""

    runner: SuiteRunner
    options: VerificationOptions
    result: Tree
    """All of it; the runner's may be without tests that the change is not about."""
    found: Verification = field(default_factory=Verification)

    def verify(self, projects: tuple[Project, ...]) -> Verification:
        for each in projects:
            project, runs = self.runner.run_project(each)
            self._add_project(project, runs)
            experiments = self._experiments(project, runs)
            if self.found.builds is not False and not self.found.forged:
                self._try_examples(project)
                self._try_restoring(experiments)
            if not self._is_vetoed:
                self._experiment(experiments)
        if self.options.tests is not None:
            self._accept(projects, self.options.tests)
        return replace(self.found, suites=tuple(self.runner.suites), notes=tuple(self.runner.notes))

    def _add(self, **more: Iterable[object]) -> None:
        """Add values to fields of what was found."""
        fields: dict[str, Any] = {name: (*getattr(self.found, name), *values) for name, values in more.items()}
        self.found = replace(self.found, **fields)

    def _add_project(self, project: Project, runs: ProjectRuns) -> None:
        broken = comparison.broken_tests(runs)
        shown, idle = comparison.shown_and_idle_tests(runs)
        builds = comparison.builds(runs)
        self._add(
            broken=project.full_names(broken),
            removed=project.full_names(comparison.removed_tests(runs, broken)),
            rewritten=project.full_names(comparison.rewritten_tests(runs, broken)),
            unbuilt=project.full_names(comparison.unbuilt_tests(runs, broken)),
            new=project.full_names(_passed_new_tests(runs)),
            shown=project.full_names(shown),
            idle=project.full_names(idle),
            failing=project.full_names(comparison.failing_tests(runs)),
            early_exits=early_exits.find_early_exits(project, self.runner.trees),
        )
        self.found = replace(
            self.found,
            forged=self.found.forged or comparison.is_forged(runs),
            builds=self.found.builds if builds is None else builds and self.found.builds is not False,
        )

    @property
    def _is_vetoed(self) -> bool:
        """True if what the tests show so far ends the verification; wrong examples and what may be excused do not."""
        broken = tuple(name for name in self.found.broken if not self._may_be_excused(name))
        return bool(replace(self.found, broken=broken, examples=()).vetoes)

    def _may_be_excused(self, test: str) -> bool:
        options, found = self.options, self.found
        is_excused = options.is_superseded(test) or options.is_disputed(test, found.is_restorable(test))
        return is_excused or test in found.unbuilt

    def _try_restoring(self, experiments: Experiments) -> None:
        """Take back parts of the change, where that decides about broken tests that the run changed or replaced."""
        own = experiments.runs.own
        failing = [name for name, outcome in own.outcomes.items() if outcome == "failed"] if own is not None else []
        broken = [name for name in comparison.broken_tests(experiments.runs) if name not in failing]
        full = dict(zip(broken, experiments.project.full_names(broken), strict=True))
        undecided = {
            name: test
            for name, test in full.items()
            if not self.options.is_superseded(test)
            and self.options.is_disputed(test, False)
            and not self.options.is_disputed(test, True)
        }
        if not undecided or not self.options.mutants:
            return
        for name, found in restored_code.find_restorations(experiments, undecided).items():
            if found is None:
                self._add(entangled=[undecided[name]])
            else:
                self._add(restorable=[replace(found, test=undecided[name])])

    def _accept(self, projects: tuple[Project, ...], command: str) -> None:
        """Run the user's acceptance tests."""
        runner = self.runner
        runner.host.say(f"verifying: {command}")
        preparation = runner.prepare_all(projects)
        with told_each_minute(runner.host.say, "verifying: the acceptance tests"):
            suite, accepted = acceptance.run(
                self.result, command, self.options.tests_folder, runner.sandbox, preparation
            )
        runner.suites.append(suite)
        self.found = replace(self.found, accepted=accepted)

    def _try_examples(self, project: Project) -> None:
        if self.options.examples:
            self.runner.host.say(f"verifying: the spec's examples ({len(self.options.examples)})")
            self._add(examples=self._run_examples(project, self.options.examples))

    def _run_examples(self, project: Project, examples: tuple[Example, ...]) -> Iterator[ExampleResult]:
        """Run examples on the result, and the wrong ones on the base: one that holds there may describe the fault."""
        runner = self.runner
        results = spec_examples.run(project, runner.trees.result, examples, runner.sandbox, runner.host)
        wrong = {each.call for each in results if each.status == "wrong"}
        before: set[tuple[str, str]] = set()
        if wrong and runner.trees.base is not None:
            suspects = [example for example in examples if example.written_out and str(example) in wrong]
            on_base = spec_examples.run(project, runner.trees.base, suspects, runner.sandbox, runner.host)
            before = {(each.call, each.expected) for each in on_base if each.status == "holds"}
        for each in results:
            if each.status == "wrong" and (each.call, each.expected) in before:
                runner.notes[f"{each}. The base gives that, too: the spec may describe the fault there"] = None
                yield replace(each, status="unknown")
            else:
                yield each

    def _experiment(self, experiments: Experiments) -> None:
        """Run the result's tests on changed code, as far as the options ask for it."""
        options, full_names = self.options, experiments.project.full_names
        if self.runner.slowest_s > SLOW_SUITE_S:
            self.runner.notes[TOO_SLOW] = None
        if not experiments.are_possible:
            return
        self._add(watched=full_names(watched_tests.find_watched_tests(experiments, options.spec)))
        self._add(switched_off=full_names(watched_tests.find_switched_off_tests(experiments)))
        if options.words is not None:
            tests, names = renamed_tests.find_tests_by_name(experiments, options.words, options.spec)
            self._add(by_name=full_names(tests), known_names=names)
        if options.probe is not None:
            self._probe_tests(experiments, options.probe)
        if options.mutate is not None:
            tried = experiments.try_mutants(options.mutate, options.mutants)
            survivors = [mutation for mutation, mutant in tried if mutant.status == "survived"]
            slackened = full_names(lenient_tests.find_slackened_tests(experiments, survivors))
            more = [name for name in slackened if name not in self.found.dulled]
            self._add(mutants=(mutant for _, mutant in tried), dulled=more)
        if options.probe is not None:
            unheld = experiments.find_unheld_functions(options.probe, self.found.mutants)
            self._add(unheld=unheld)
            self._add(unseen=experiments.find_unseen_functions(options.probe, unheld, self.found.mutants))
            self._add(replaced=experiments.find_replaced_functions(options.probe))

    def _probe_tests(self, experiments: Experiments, probe: FunctionProbe) -> None:
        """Find new tests that do not look at the code, and old ones that look less closely than before."""
        full_names = experiments.project.full_names
        self._add(detached=full_names(experiments.find_detached_tests(probe.disable)))
        self._add(dulled=full_names(lenient_tests.find_dulled_tests(experiments, probe.refuse or probe.disable)))
        if probe.break_assertions is not None:
            self._add(silent=full_names(experiments.find_silent_tests(probe.break_assertions)))
        if probe.undo_doubles is not None and probe.replaceable_names is not None:
            doubled = experiments.find_doubled_tests(probe.undo_doubles, probe.replaceable_names)
            self._add(doubled=full_names(doubled))
        if probe.hollow is not None:
            self._add(unmoved=full_names(lenient_tests.find_unmoved_tests(experiments, probe.hollow)))

    def _experiments(self, project: Project, runs: ProjectRuns) -> Experiments:
        runner = self.runner
        return Experiments(
            project=project,
            trees=runner.trees,
            runs=runs,
            sandbox=runner.sandbox,
            host=runner.host,
            slowest_s=runner.slowest_s,
            memory=runner.memory,
        )


def _passed_new_tests(runs: ProjectRuns) -> tuple[str, ...]:
    outcomes = {} if runs.own is None else runs.own.outcomes
    return tuple(name for name in comparison.new_tests(runs) if outcomes[name] == "passed")
