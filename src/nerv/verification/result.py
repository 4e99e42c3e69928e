"""Results of a verification: which tests passed on the base and on the result, by the runner's own report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tree = Literal["base", "result"]
TestSource = Literal["base", "changed", "acceptance"]
"""`base`: the base commit's own tests. `changed`: tests that the run added or changed. `acceptance`: the user's."""
TestOutcome = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """One run of a test suite in the sandbox."""

    tree: Tree
    source: TestSource
    command: str
    outcomes: dict[str, TestOutcome]
    """By the test's name, as the runner's machine-readable report has them; empty if `problem` is set."""
    problem: str = ""
    """Why it could not be built or run, in one sentence; empty if it ran."""
    broken_build: bool = False
    """The code itself does not build, which is the agent's failure on the result; other problems are not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Everything that was run, and what it shows."""

    suites: tuple[SuiteResult, ...] = ()
    skipped: str = ""
    """Why nothing could be verified, in one sentence with the next step; empty if something was."""
    broken: tuple[str, ...] = ()
    """Tests of the base that pass on the base and fail, or no longer exist, on the result."""
    shown: tuple[str, ...] = ()
    """New or changed tests that fail on the base and pass on the result: evidence for the change."""
    idle: tuple[str, ...] = ()
    """New or changed tests that pass on both: they prove nothing about the change."""
    failing: tuple[str, ...] = ()
    """New, changed or acceptance tests that fail on the result."""
    builds: bool | None = None
    """Whether the result builds; None: not known."""
    accepted: bool | None = None
    """Whether all acceptance tests passed on the result; None: there are none, or they could not be run."""

    @property
    def verified(self) -> bool | None:
        """True if the result builds and all tests that decide pass, False if not, None if that is not known."""
        if self.builds is False or self.broken or self.failing or self.accepted is False:
            return False
        ran = any(suite.tree == "result" and suite.outcomes for suite in self.suites)
        return True if self.accepted or ran else None
