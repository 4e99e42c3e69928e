"""Experiments with the result's tests: what they say once the code is changed a little, or disabled.

Passing tests show that the code works only if they would fail were it broken.
"""

from __future__ import annotations

import posixpath
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nerv.verification import comparison, mutants
from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import Host, NotPrepared, SuiteReport, UntrustedReport
from nerv.verification.ecosystems.all import Project
from nerv.verification.inline_tests import test_lines
from nerv.verification.mutants import Mutate, Mutation
from nerv.verification.repository import Trees
from nerv.verification.result import LEAST_NOTICED, Mutant
from nerv.verification.sandboxed import TestSandbox
from nerv.verification.suite_memory import KnownSuite, SuiteMemory, suite_key
from nerv.verification.surroundings import Surroundings
from nerv.verification.trees import Tree, TreeFile

TOO_SLOW = "the tests take too long to be tried on changes to the code"
SLOW_SUITE_S = 40.0
"""CPU time of a suite that is too slow to be run once more for each change."""
_QUICK_SUITE_S = 8.0
"""CPU time of a suite that is quick enough for experiments whose outcome is nearly certain."""
_CPU_S, _CPU_FACTOR = 10.0, 2
"""Limit for the tests of changed code, which may loop forever: the least, and as a multiple of the slowest run."""
_SPARE = 2
"""Times as many changes are at hand as are to be tried: those that do not build are replaced."""
_ENOUGH = 4
"""Noticed changes, at least, after which no more are tried."""

_MOST_FUNCTIONS = 8
"""Functions of a project that are disabled one at a time."""

_INDEX_FILES = frozenset({"mod", "index", "__init__"})
"""Files that are named by their folders."""

Disable = Callable[[str, str, Collection[int]], bytes | None]
"""Returns a file whose functions with some lines (from 1) fail, given its path and text; None if it has none."""

Hollow = Callable[[str, str, Collection[int], Collection[str]], bytes | None]
"""Returns a file whose functions with some lines (from 1) and names give empty values; None if it has none."""

BreakAssertions = Callable[[str, str, Collection[int] | None], bytes | None]
"""Returns a test file whose comparisons all fail (those on some lines, if any are given); None if it has none."""

UndoDoubles = Callable[[str, str, Collection[str]], bytes | None]
"""Returns a test file that replaces none of some functions of the code; None if it replaces none of them."""

ReplaceableNames = Callable[[Iterable[tuple[str, str, Collection[int]]]], Collection[str]]
"""Returns what files (paths, texts, lines from 1) define on these lines, and tests have no reason to replace."""

Locate = Callable[[str, str], Iterable[tuple[str, range]]]
"""Returns the functions of a file with their lines (from 1), given its path and text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionProbe:
    """How functions are found and disabled, and which of them should be tried one at a time."""

    disable: Disable
    locate: Locate
    names: frozenset[str] = frozenset()
    refuse: Disable | None = None
    """Like `disable`, but in a way that ends no other test; None: the same."""
    hollow: Hollow | None = None
    break_assertions: BreakAssertions | None = None
    undo_doubles: UndoDoubles | None = None
    replaceable_names: ReplaceableNames | None = None
    skew: Hollow | None = None
    """Like `hollow`, but other values instead of empty ones; functions that give none end at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiments:
    """Runs of one project's tests on changed versions of the result."""

    project: Project
    trees: Trees
    runs: ProjectRuns
    sandbox: TestSandbox
    host: Host
    slowest_s: float
    """CPU time of the slowest ordinary run."""
    memory: SuiteMemory | None = None

    @property
    def are_possible(self) -> bool:
        """True if some test passes on the result, and the suite is quick enough."""
        return self._own is not None and "passed" in self._own.outcomes.values() and self.slowest_s <= SLOW_SUITE_S

    def try_mutants(self, mutate: Mutate, most: int) -> list[tuple[Mutation, Mutant]]:
        """Run the result's tests on small changes to what the run wrote in this project."""
        chosen, spare = (
            mutants.in_order(mutants.choose(mutate, self.trees.base, self.trees.result, self.is_left_alone, number))
            for number in (most, _SPARE * most)
        )
        if chosen:
            self.host.say(f"verifying: do the tests notice changes to the code? (at most {len(chosen)} tried)")
        tried: list[tuple[Mutation, Mutant]] = []
        new = comparison.new_tests(self.runs)
        for one in (*chosen, *(each for each in spare if each not in chosen)):
            if sum(each.status != "invalid" for _, each in tried) == len(chosen):
                break
            tried.append((one, one.outcome(self.noticed_by(self.with_mutation(one)), new)))
            is_enough = sum(each.status == "killed" for _, each in tried) >= max(_ENOUGH, LEAST_NOTICED * len(chosen))
            if is_enough and (not new or any(each.noticed_by_new for _, each in tried)):
                break  # whatever the others show, the tests notice enough
        return sorted(tried, key=lambda each: (each[0].path, each[0].line))

    def with_mutation(self, mutation: Mutation) -> Tree:
        """Return the result with a small change."""
        return self._with({mutation.path: mutation.content})

    def _with(self, changed: Mapping[str, bytes]) -> Tree:
        result = self.trees.result
        return {**result, **{path: replace(result[path], content=content) for path, content in changed.items()}}

    def find_detached_tests(self, disable: Disable) -> tuple[str, ...]:
        """Return the new tests that pass although every function that the run wrote fails at once."""
        new = [name for name in comparison.new_tests(self.runs) if self._passes(name)]
        changed = self.changed_code(disable) if new else {}
        if not changed:
            return ()
        self.host.say("verifying: do the new tests need the code?")
        report = self.run({**self.trees.result, **changed})
        if report is None or report.problem:
            return ()
        return tuple(name for name in new if report.outcomes.get(name) == "passed")

    def find_silent_tests(self, break_assertions: BreakAssertions) -> tuple[str, ...]:
        """Return the new tests that pass although every comparison in the tests fails: they never come to one."""
        new = [name for name in comparison.new_tests(self.runs) if self._passes(name)]
        changed: dict[str, TreeFile] = {}
        for path, text in self._tests_and_helpers() if new else ():
            file = self.trees.result[path]
            content = break_assertions(path, text, None if self.is_left_alone(path) else test_lines(path, file))
            if content is not None:
                changed[path] = replace(file, content=content)
        if not changed:
            return ()
        self.host.say("verifying: do the new tests come to compare anything?")
        report = self.run({**self.trees.result, **changed})
        if report is None or report.problem or report.broken_build:
            return ()
        return tuple(name for name in new if report.outcomes.get(name) == "passed")

    def find_doubled_tests(self, undo: UndoDoubles, replaceable_names: ReplaceableNames) -> tuple[str, ...]:
        """Return the new tests that pass, and fail once the code of the run is where they have put a double of it."""
        new = {name for name in comparison.new_tests(self.runs) if self._passes(name)}
        names = replaceable_names(mutants.written_code(self.trees.base, self.trees.result, self.is_left_alone))
        changed: dict[str, TreeFile] = {}
        for path, text in self._tests_and_helpers() if new and names else ():
            content = undo(path, text, names) if self.is_left_alone(path) else None
            if content is not None:
                changed[path] = replace(self.trees.result[path], content=content)
        if not changed:
            return ()
        self.host.say("verifying: do the tests pass with the code in the place of their doubles?")
        return tuple(sorted(new & (self.noticed_by({**self.trees.result, **changed}) or frozenset())))

    def find_unheld_functions(self, probe: FunctionProbe, tried: Sequence[Mutant]) -> tuple[str, ...]:
        """Return the functions that the spec names and that may fail at once without any test noticing."""
        return self._unnoticed(probe, probe.names, probe.refuse or probe.disable, _noticed_lines(tried))

    def find_replaced_functions(self, probe: FunctionProbe) -> tuple[str, ...]:
        """Return the functions that the tests define as well, and that may fail at once without any test noticing."""
        return self._unnoticed(probe, self._names_in_tests(probe) - probe.names, probe.refuse or probe.disable)

    def find_unseen_functions(
        self, probe: FunctionProbe, but: Collection[str], tried: Sequence[Mutant]
    ) -> tuple[str, ...]:
        """Return functions that the spec names and that may give other values, or do nothing, with all tests passing.

        Without those of which it is known already that they may fail, and, where the tests take long, those in which
        a small change was noticed.
        """
        if (skew := probe.skew) is None:
            return ()
        self.host.say("verifying: do the tests look at what the functions give?")
        held = _noticed_lines(tried) if self.slowest_s > _QUICK_SUITE_S else ()
        return self._unnoticed(
            probe, probe.names - set(but), lambda path, text, lines: skew(path, text, lines, probe.names), held
        )

    def _unnoticed(
        self, probe: FunctionProbe, names: frozenset[str], change: Disable, held: Collection[tuple[str, int]] = ()
    ) -> tuple[str, ...]:
        """Return those of some functions that the run wrote that can be changed, each alone, without a test noticing.

        A function with one of the lines that are held needs no experiment.
        """
        found: dict[str, bool] = {}
        experiments = 0
        for path, text, written in mutants.written_code(self.trees.base, self.trees.result, self.is_left_alone):
            own = written - test_lines(path, self.trees.result[path])
            for name, lines in probe.locate(path, text):
                if name not in names or found.get(name) or own.isdisjoint(lines):
                    continue
                if any((path, line) in held for line in lines):
                    found[name] = True
                    continue
                content = change(path, text, lines) if experiments < _MOST_FUNCTIONS else None
                if content is None:
                    continue
                experiments += 1
                noticed_by = self.noticed_by(self._with({path: content}))
                if noticed_by is not None:
                    found[name] = bool(noticed_by)
        return tuple(sorted(name for name, is_noticed in found.items() if not is_noticed))

    def _tests_and_helpers(self) -> Iterator[tuple[str, str]]:
        """Yield the files with tests that the run wrote, and the other test files that these name, or lie beside."""
        written = {
            path: text
            for path, text, _ in mutants.written_code(self.trees.base, self.trees.result, lambda _: False)
            if self.is_left_alone(path) or test_lines(path, self.trees.result[path])
        }
        words = frozenset(word for text in written.values() for word in re.findall(r"\w+", text))
        folders = {posixpath.dirname(path) for path in written}
        for path, text, _ in mutants.written_code(None, self.trees.result, lambda path: not self.is_left_alone(path)):
            stem = posixpath.basename(path).partition(".")[0]
            name = posixpath.basename(posixpath.dirname(path)) if stem in _INDEX_FILES else stem
            beside = path.endswith(".go") and posixpath.dirname(path) in folders
            if path in written or beside or name in words or stem == "conftest":
                written[path] = text
        yield from sorted(written.items())

    def _names_in_tests(self, probe: FunctionProbe) -> frozenset[str]:
        """Return the names of the functions that the run's test files define."""
        found: set[str] = set()
        for path, text, written in mutants.written_code(self.trees.base, self.trees.result, lambda _: False):
            if self.is_left_alone(path):
                found.update(name for name, lines in probe.locate(path, text) if not written.isdisjoint(lines))
        return frozenset(found)

    @property
    def _own(self) -> SuiteReport | None:
        return self.runs.own

    def _passes(self, name: str) -> bool:
        return self._own is not None and self._own.outcomes.get(name) == "passed"

    def is_left_alone(self, path: str) -> bool:
        """Return whether a file is a test, or belongs to another project."""
        folder = self.project.folder
        below = f"{folder}/" if folder else ""
        return not path.startswith(below) or self.project.is_test_file(path[len(below) :])

    def changed_code(self, change: Disable) -> Tree:
        """Return the files that the run wrote, with their functions changed, and without those that have none."""
        found: Tree = {}
        for path, text, lines in mutants.written_code(self.trees.base, self.trees.result, self.is_left_alone):
            content = change(path, text, lines - test_lines(path, self.trees.result[path]))
            if content is not None:
                found = {**found, path: replace(self.trees.result[path], content=content)}
        return found

    def written_test_lines(self) -> list[str]:
        """Return the lines of tests that the run wrote."""
        found = []
        for path, text, written in mutants.written_code(self.trees.base, self.trees.result, lambda _: False):
            numbers = written if self.is_left_alone(path) else written & test_lines(path, self.trees.result[path])
            found += [line for number, line in enumerate(text.splitlines(), 1) if number in numbers]
        return found

    def noticed_by(self, tree: Tree) -> frozenset[str] | None:
        """Return the tests that pass on the result and fail on a changed tree; None if that does not build."""
        report = self.run(tree)
        if report is None or report.broken_build or report.unavailable or self._own is None:
            return None
        passed = (name for name, outcome in self._own.outcomes.items() if outcome == "passed")
        return frozenset(name for name in passed if report.outcomes.get(name) != "passed")

    def run(
        self, tree: Tree, surroundings: Surroundings | None = None, *, is_repeated: bool = False
    ) -> SuiteReport | None:
        """Run the tests of a changed tree; None if that is not possible, no outcomes if the change ends the run."""
        files = self.project.files(tree)
        key = None if self.memory is None else suite_key(self.project, tree, files) + str(surroundings or "")
        known = None if key is None or self.memory is None or is_repeated else self.memory.get(key)
        if known is not None:
            return known.report
        control = f"control_{secrets.token_hex(6)}"
        command = self.project.ecosystem.command(files, files, control)
        if surroundings is not None:
            command = surroundings.change(command, self.project.ecosystem.NAME)
        try:
            preparation = self.project.prepare(tree, self.host)
            cpu_s = max(_CPU_S, _CPU_FACTOR * self.slowest_s)
            limits = replace(self.sandbox.limits, cpu_s=cpu_s, wall_s=4 * cpu_s)
            execution = replace(self.sandbox, limits=limits).run(tree, self.project.folder, command, preparation)
            report = self.project.ecosystem.read_report(files, execution, control)
        except NotPrepared:
            return None
        except UntrustedReport:
            report = SuiteReport()  # the change ended the tests before ours was run
        if key is not None and self.memory is not None and not report.broken_build and not report.unavailable:
            self.memory[key] = KnownSuite(report=report, shown="", seconds=0.0)
        return report


def _noticed_lines(tried: Iterable[Mutant]) -> frozenset[tuple[str, int]]:
    """Return the lines in which tests noticed a small change."""
    return frozenset((mutant.path, mutant.line) for mutant in tried if mutant.status == "killed")
