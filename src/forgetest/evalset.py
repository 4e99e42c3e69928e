"""Eval sets: the cases that a model is asked to solve, and what is expected of its code."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """A package of the case's language that its code may use."""

    name: str
    version: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextFile:
    """A file that is shown to the model beside the prompt."""

    path: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectations:
    """What a case asks of a sample."""

    should_compile: bool = True
    should_pass_tests: bool = True
    test_file: str | None = None
    expected_functions: tuple[str, ...] = ()
    expected_types: tuple[str, ...] = ()
    max_clippy_warnings: int | None = None
    custom_check: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One task: a prompt, and how an answer is judged. Defaults of the set are filled in."""

    id: str
    name: str
    prompt: str
    description: str = ""
    language: str = "rust"
    tags: tuple[str, ...] = ()
    edition: str = "2021"
    dependencies: tuple[Dependency, ...] = ()
    timeout_secs: float = 60.0
    max_tokens: int | None = None
    context: tuple[ContextFile, ...] = ()
    reference_solution: str | None = None
    expectations: Expectations = Expectations()


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each component counts; they sum to 1."""

    compilation: float = 0.4
    tests: float = 0.5
    clippy: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSet:
    """A named list of cases."""

    id: str
    name: str
    description: str = ""
    weights: Weights = Weights()
    cases: tuple[Case, ...] = field(default_factory=tuple)
    path: str = ""
    """Where it was read from, for messages."""
    hash: str = ""
    """SHA-256 over the content that matters for judging; comments and layout do not."""
