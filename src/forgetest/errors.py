"""What can go wrong, and whose fault it is.

ForgetestError
├── UserError            the input is wrong, or something must be installed: exit code 2
│   └── InvalidInput     a file with problems, each named by place and key
├── ProviderError        a model could not be asked: the sample is unjudged
└── MachineryError       our own sandbox, disk or toolchain failed: the sample is unjudged

Anything else that is raised is a bug of ours: exit code 3.
"""

from __future__ import annotations

from dataclasses import dataclass


class ForgetestError(Exception):
    """The root of what this package raises on purpose."""


class UserError(ForgetestError):
    """The user can mend this; the message says what is wrong, where, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong in a file."""

    file: str
    line: int | None
    key: str
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


class InvalidInput(UserError):  # noqa: N818  (reads as what it is)
    """A file has problems; all of them are listed, one a line."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems))


class ProviderError(ForgetestError):
    """A model did not answer, for a reason that says nothing about the model's code."""

    def __init__(
        self,
        message: str,
        *,
        final: bool = False,
        of_request: bool = False,
        overloaded: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        """What a failure means for the next request.

        `final`: asking this again is pointless; with `of_request`, something else may still be asked of the model.
        `overloaded`: there are too many requests. `retry_after_s`: how long the service asks one to wait.
        """
        self.final = final
        self.of_request = of_request
        self.overloaded = overloaded
        self.retry_after_s = retry_after_s
        super().__init__(message)


class MachineryError(ForgetestError):
    """Something of ours failed while judging; never counted against a sample."""
