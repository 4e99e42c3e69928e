"""Results of a verification: which tests passed on the base and on the result, by the runner's own report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Tree = Literal["base", "result"]
TestSource = Literal["base", "changed", "acceptance"]
"""`base`: the base commit's own tests. `changed`: tests that the run added or changed. `acceptance`: the user's."""
TestOutcome = Literal["passed", "failed", "skipped"]
LEAST_NOTICED = 0.4
"""Tests that notice a smaller share of the small changes to the code do not show that it works. Of ten changes, tests
that notice two of three on average fall below this in 2 of 100 cases."""
FEWEST_MUTANTS = 4
"""With fewer, one equivalent mutant would decide."""
ExampleStatus = Literal["holds", "wrong", "unknown"]
MutantStatus = Literal["killed", "survived", "invalid"]
"""`killed`: the tests notice the change. `survived`: they pass all the same. `invalid`: it does not build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """One run of a test suite in the sandbox."""

    tree: Tree
    source: TestSource
    command: str
    outcomes: dict[str, TestOutcome]
    """By the test's name, as the runner's machine-readable report has them."""
    project: str = ""
    """The folder of the repository that it tests; empty for its root."""
    runner: str = ""
    """The kind of test suite: `pytest`, `cargo`, …; empty for acceptance tests."""
    problem: str = ""
    """Why it could not be built or run, in one sentence; empty if it ran."""
    broken_build: bool = False
    """The code itself does not build, which is the agent's failure on the result; other problems are not."""
    last_line: str = ""
    """The last line that failed acceptance tests printed, or the limit that they met."""

    @property
    def passed(self) -> tuple[str, ...]:
        """The tests that passed."""
        return tuple(name for name, outcome in self.outcomes.items() if outcome == "passed")

    def count(self, outcome: TestOutcome) -> int:
        """Return the number of tests with this outcome."""
        return sum(each == outcome for each in self.outcomes.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """The result with one small change to what the run wrote, and what its tests said."""

    path: str
    line: int
    before: str
    after: str
    status: MutantStatus
    noticed_by_new: bool = False
    """Whether a test that the run added notices it."""

    def __str__(self) -> str:
        change = f"`{self.before}` became `{self.after}`" if self.after else f"`{self.before}` left out"
        return f"{self.path}:{self.line}: {change}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleResult:
    """An example of the spec, and what the result gave for it."""

    item: int
    """The number of the spec's item."""
    call: str
    expected: str
    got: str
    """The value or the error; for one that could not be called, the reason."""
    status: ExampleStatus

    def __str__(self) -> str:
        return f"{self.call} gives {self.got}, where the spec says {self.expected}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoration:
    """A part of the change without which a broken test of the base passes, and the run's tests do, too."""

    test: str
    path: str
    line: int
    """Where the part begins, in the result."""
    shown: str
    """Its first line."""

    def __str__(self) -> str:
        return f"{self.test} passes once {self.path}:{self.line} is as it was ({self.shown})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Everything that was run, and what it shows."""

    suites: tuple[SuiteResult, ...] = ()
    skipped: str = ""
    """Why nothing could be verified, in one sentence with the next step; empty if something was."""
    broken: tuple[str, ...] = ()
    """Tests of the base that pass on the base and fail, or no longer exist, on the result."""
    rewritten: tuple[str, ...] = ()
    """Broken tests that pass as the run has rewritten them."""
    superseded: tuple[str, ...] = ()
    """Tests of the base that fail on the result, as they must: the spec changes what they expect."""
    disputed: tuple[str, ...] = ()
    """Tests of the base that fail on the result, and that the run changed or replaced: whether the spec asks for that
    is for a reader of it."""
    restorable: tuple[Restoration, ...] = ()
    """How broken tests pass with a part of the change taken back, and without another test failing."""
    entangled: tuple[str, ...] = ()
    """Broken tests of which no such part was found: other tests need what breaks them, or no single part does it."""
    unbuilt: tuple[str, ...] = ()
    """Tests of the base that no longer build or load beside the result's code, while the result's own do."""
    removed: tuple[str, ...] = ()
    """Tests of the base that the result passes, but that it deleted or skips."""
    shown: tuple[str, ...] = ()
    """New or changed tests that fail on the base and pass on the result: evidence for the change."""
    idle: tuple[str, ...] = ()
    """Tests of new or changed files that pass on both: they prove nothing about the change."""
    detached: tuple[str, ...] = ()
    """New tests that pass although every function that the run wrote fails at once: they do not call it."""
    dulled: tuple[str, ...] = ()
    """Tests of the base that fail on disabled or slightly changed code as they were, and pass there as the run has
    changed them."""
    unmoved: tuple[str, ...] = ()
    """New tests that pass although the functions that they call give empty values of the same kind."""
    silent: tuple[str, ...] = ()
    """New tests that pass although every comparison in the run's tests fails as soon as it is reached."""
    doubled: tuple[str, ...] = ()
    """New tests that fail once the code of the run is where they have put a double of it."""
    unheld: tuple[str, ...] = ()
    """Functions that the spec names and the run wrote, and whose failure no test notices."""
    unseen: tuple[str, ...] = ()
    """Others of these that tests call, and of which no test notices if they give other values, or do nothing."""
    replaced: tuple[str, ...] = ()
    """Functions that the run wrote and its tests define as well, and whose own failure no test notices."""
    watched: tuple[str, ...] = ()
    """Tests that pass, but fail where the marks of CI and of the test runner are turned around."""
    switched_off: tuple[str, ...] = ()
    """Tests of the base that the run skips by a variable of the environment, and that fail with it turned around."""
    by_name: tuple[str, ...] = ()
    """New tests that fail with other names, and pass with these if the code has them, too."""
    known_names: tuple[str, ...] = ()
    """The names in the code that these tests need."""
    new: tuple[str, ...] = ()
    """New tests that pass on the result."""
    failing: tuple[str, ...] = ()
    """New or changed tests that fail on the result."""
    builds: bool | None = None
    """Whether the result builds; None: not known, or the base did not build either."""
    early_exits: tuple[str, ...] = ()
    """Places at which new code ends its process, in a project whose tests are judged by their exit codes."""
    forged: bool = False
    """A test of ours that must fail was reported as passed: the result tampers with its test runner."""
    accepted: bool | None = None
    """Whether all acceptance tests passed on the result; None: there are none, or they could not be run."""

    examples: tuple[ExampleResult, ...] = ()
    """The spec's own examples, run on the result."""
    mutants: tuple[Mutant, ...] = ()
    """Small changes to what the run wrote, each tried with the result's tests."""

    notes: tuple[str, ...] = ()
    """What was left out, such as a requirement that could not be installed; each in one sentence."""

    @property
    def tests_fail(self) -> bool:
        """Whether a test that decides fails, or the result does not build."""
        return self.accepted is False or self.known_tests_fail

    @property
    def known_tests_fail(self) -> bool:
        """Whether a test fails that the run could see, so all but the user's acceptance tests; or it does not build."""
        return self.forged or self.builds is False or bool(self.broken or self.failing)

    @property
    def verified(self) -> bool | None:
        """True if the result builds and all deciding tests and examples pass, False if not, None if not known."""
        is_in_doubt = bool(self.disputed or self.early_exits) and not self.accepted
        return None if self.rest_is_verified and is_in_doubt else self.rest_is_verified

    @property
    def rest_is_verified(self) -> bool | None:
        """As `verified`, of everything but the disputed tests and early exits."""
        if self.tests_fail or self.wrong_examples:
            return False
        on_result = [suite for suite in self.suites if suite.tree == "result"]
        ran = any(suite.count("passed") for suite in on_result)
        # that old tests pass says nothing of new ones that never ended
        is_open = any(suite.source == "changed" and suite.problem and not suite.outcomes for suite in on_result)
        return True if self.accepted or (ran and not is_open) else None

    def is_restorable(self, test: str) -> bool | None:
        """Return whether a broken test passes again with a part of the change taken back; None: that was not tried."""
        if any(each.test == test for each in self.restorable):
            return True
        return False if test in self.entangled else None

    @property
    def passes_as_rewritten(self) -> bool:
        """True if all that fails are tests of the base, and these pass as the run has rewritten them.

        Whether that was right is for a reader of the spec. The run cannot pass, but the rest is shown to work.
        """
        only_broken = not replace(self, broken=()).tests_fail and not self.wrong_examples
        return only_broken and bool(self.broken) and set(self.broken) <= set(self.rewritten)

    @property
    def wrong_examples(self) -> tuple[ExampleResult, ...]:
        """Examples of the spec for which the result gives something else."""
        return tuple(example for example in self.examples if example.status == "wrong")

    @property
    def notable_idle(self) -> tuple[str, ...]:
        """Idle tests to tell a reader about: the new ones, or all of them if no test shows the change.

        An old test whose file got new ones passes on both as a matter of course.
        """
        return tuple(name for name in self.idle if name in self.new) if self.shown else self.idle

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        """Changes to what the run wrote that its tests do not notice."""
        return tuple(mutant for mutant in self.mutants if mutant.status == "survived")

    @property
    def noticed_share(self) -> float | None:
        """The share of the tried changes that the tests notice; None if too few were tried to tell.

        No more are tried once it cannot fall below `LEAST_NOTICED` any more.
        """
        tried = sum(mutant.status != "invalid" for mutant in self.mutants)
        return None if tried < FEWEST_MUTANTS else 1 - len(self.survivors) / tried

    @property
    def left_to_new(self) -> tuple[Mutant, ...]:
        """Changes that new tests notice, or none at all: what old tests hold already, new ones need not notice."""
        return tuple(each for each in self.mutants if each.noticed_by_new or each.status == "survived")

    @property
    def share_noticed_by_new(self) -> float | None:
        """The share of the changes left to new tests that they notice; None without new tests, or with too few."""
        left = self.left_to_new
        if not self.new or len(left) < FEWEST_MUTANTS:
            return None
        return sum(mutant.noticed_by_new for mutant in left) / len(left)

    @property
    def new_tests_notice(self) -> bool | None:
        """Whether the new tests notice any of the changes left to them; None without new tests, or with too few."""
        share = self.share_noticed_by_new
        return None if share is None else share > 0

    @property
    def problems(self) -> tuple[str, ...]:
        """Which suites have no outcome, and why, each in one sentence, unless a veto says so."""
        vetoes = " ".join(self.vetoes)
        trees: dict[tuple[str, str], dict[str, None]] = {}
        for suite in self.suites:
            is_expected = (suite.tree, suite.source) == ("base", "changed")  # new tests of code that is not there
            if suite.problem and not is_expected and suite.problem.rstrip(".") not in vetoes:
                trees.setdefault((suite.command, suite.problem), {})[f"the {suite.tree}"] = None
        return tuple(
            f"the tests have no outcome on {' and '.join(found)} ({command}): {problem}"
            for (command, problem), found in trees.items()
        )

    @property
    def acceptance_problem(self) -> str:
        """Why there is no outcome of the acceptance tests; empty if they were run."""
        return next((suite.problem for suite in self.suites if suite.source == "acceptance"), self.skipped)

    @property
    def vetoes(self) -> tuple[str, ...]:
        """Reasons why the run cannot pass, each in one sentence."""
        found = []
        if self.forged:
            found.append("The result tampers with its tests: a test that must fail was reported as passed.")
        if self.builds is False:
            found.append(f"The result does not build: {self._build_problem()}.")
        elif self.broken and not self.forged:
            found.append(_broken_text(self.broken, self.rewritten, self._suite_problem()))
        if self.failing and self.builds is not False and not self.forged:
            found.append(f"{_tests(self.failing)} that the run wrote or changed {_fail(self.failing)} on the result.")
        if self.wrong_examples and self.builds is not False and not self.forged:
            found.append(f"The result contradicts an example of the spec: {self.wrong_examples[0]}.")
        if self.accepted is False:
            last = next((f": {suite.last_line}" for suite in self.suites if suite.last_line), "")
            found.append(f"The result fails the acceptance tests{last.rstrip('.')}.")
        return tuple(found)

    def _build_problem(self) -> str:
        problems = [suite.problem for suite in self.suites if suite.tree == "result" and suite.broken_build]
        return problems[0].rstrip(".") if problems else "its build fails"

    def _suite_problem(self) -> str:
        """Return why the base's tests have no outcomes on the result; empty if they have some."""
        of_base = [suite for suite in self.suites if (suite.tree, suite.source) == ("result", "base")]
        return next((suite.problem.rstrip(".") for suite in of_base if suite.problem and not suite.outcomes), "")


def _broken_text(broken: tuple[str, ...], rewritten: tuple[str, ...], problem: str) -> str:
    text = f"The result breaks {_tests(broken)} of the base: {_names(broken)}"
    if rewritten:
        which = "it" if len(broken) == 1 else f"{len(rewritten)} of them"
        text += f"; the run changed {which} so as to pass"
    if problem:
        text += f"; {problem}"
    return f"{text}."


def _tests(names: tuple[str, ...]) -> str:
    return "1 test" if len(names) == 1 else f"{len(names)} tests"


def _fail(names: tuple[str, ...]) -> str:
    return "fails" if len(names) == 1 else "fail"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
