"""The errors of this package, and who can fix them.

ForgetestError
├── UserError            the input is wrong, or something must be installed: exit code 2
│   └── InvalidInput     a file with mistakes, each with its line and key
├── ProviderError        a model could not be asked: the sample is unjudged
└── MachineryError       our own sandbox, disk or toolchain failed: the sample is unjudged

Any other exception is a bug in forgetest: exit code 3.
"""

from __future__ import annotations

from dataclasses import dataclass


class ForgetestError(Exception):
    """Base class of the errors that this package raises on purpose."""


class UserError(ForgetestError):
    """An error that the user can fix; the message says what is wrong, where, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One mistake in a file."""

    file: str
    line: int | None
    key: str
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        text = f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"
        return text.replace("\n", "\\n")  # a name with a line break must not look like a message of ours


class InvalidInput(UserError):  # noqa: N818  (the name says what it is)
    """A file with mistakes; the message lists all of them, one per line."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems))


class ProviderError(ForgetestError):
    """A model did not answer, for a reason that says nothing about its code."""

    def __init__(
        self,
        message: str,
        *,
        final: bool = False,
        of_request: bool = False,
        overloaded: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        """Describe what the failure means for the next request.

        `final`: repeating this request is pointless; with `of_request`, other requests to the model may succeed.
        `overloaded`: there are too many requests. `retry_after_s`: the delay that the service asks for.
        """
        self.final = final
        self.of_request = of_request
        self.overloaded = overloaded
        self.retry_after_s = retry_after_s
        super().__init__(message)


class MachineryError(ForgetestError):
    """Our own sandbox, disk or toolchain failed while judging; never counted against a sample."""
