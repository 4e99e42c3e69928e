"""A report read back from its file, down to what a comparison needs.

Reads our own reports, and those of the Rust tool of the same name, which hold one `eval_set` and no scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from forgetest.errors import UserError
from forgetest.evalset import Weights
from forgetest.evalset.file_names import FILE_NAMES
from forgetest.files.printable import legible
from forgetest.report import FORMAT_VERSION
from forgetest.report.aggregate import CaseId
from forgetest.report.stream import decode, file_of, read_header, read_results
from forgetest.scoring import of_compiled


class CaseKey(NamedTuple):
    """What is compared: one model at one case of one eval set."""

    eval_set_id: str
    case_id: str
    model: str
    """`provider/model`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCase:
    """How one model did at one case."""

    scores: tuple[float, ...]
    """Of the judged attempts alone."""
    correct: int

    @property
    def mean_score(self) -> float | None:
        """None where no attempt was judged."""
        return fsum(self.scores) / len(self.scores) if self.scores else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedReport:
    """What a comparison needs of a report."""

    path: str
    id: str
    created_at: str
    pass_k: tuple[int, ...]
    cases: Mapping[CaseKey, RecordedCase]
    conditions: Mapping[str, str | None]
    """What the scores depend on beside the model, by name; None where the report does not tell."""
    tags: Mapping[CaseId, tuple[str, ...]] = field(default_factory=dict)
    """Of the cases that have any."""

    @property
    def models(self) -> list[str]:
        """The models that it holds, sorted."""
        return sorted({key.model for key in self.cases})


def read_report(path: Path) -> RecordedReport:
    """Read a report, or the one in a run's folder, one result after the other."""
    file = file_of(path)
    header = read_header(file)
    opening = decode(header, _Opening, file)
    if opening.format_version == FORMAT_VERSION:
        return _ours(decode(header, _Report, file), file, legible(path))
    if opening.format_version is not None:
        raise UserError(
            f"{file}: format_version is {opening.format_version}, and this forgetest reads {FORMAT_VERSION}: "
            "read it with the forgetest that wrote it, or run again"
        )
    if opening.eval_set is None:
        raise UserError(f"{file}: no report: it has neither format_version nor eval_set")
    return _of_rust_tool(decode(header, _RustReport, file), file, legible(path))


_Share = Annotated[float, Meta(ge=0, le=1)]
_Count = Annotated[int, Meta(ge=0)]


class _Opening(Struct):
    format_version: Any = None
    eval_set: Any = None


class _Case(Struct):
    id: str
    tags: tuple[str, ...] = ()


class _Weights(Struct, rename=FILE_NAMES):
    compilation: float = Weights().compilation
    tests: float = Weights().tests
    lint: float = Weights().lint


class _EvalSet(Struct):
    id: str
    hash: str | None = None
    weights: _Weights | None = None
    cases: tuple[_Case, ...] = ()


class _Settings(Struct):
    pass_k: list[Annotated[int, Meta(ge=1)]]
    temperature: float | None = None
    max_tokens: int | None = None
    prompt_template_hash: str | None = None


class _Score(Struct):
    overall: _Share


class _Provenance(Struct):
    toolchain: str | None = None
    sandbox: str | None = None


class _Result(Struct):
    eval_set_id: str
    case_id: str
    provider: str
    model: str
    outcome: Literal["judged", "unjudged"]
    score: _Score | None
    correct: bool | None
    provenance: _Provenance = msgspec.field(default_factory=_Provenance)


class _Report(Struct):
    id: str
    created_at: str
    eval_sets: list[_EvalSet]
    settings: _Settings
    results: list[None]
    """Always empty here: they are read one by one."""


class _RustCompilation(Struct):
    success: bool


class _RustTests(Struct):
    passed: _Count
    failed: _Count


class _RustClippy(Struct):
    warning_count: _Count


class _RustResult(Struct):
    case_id: str
    provider: str
    model: str
    compilation: _RustCompilation
    test_execution: _RustTests | None = None
    clippy: _RustClippy | None = None
    status: str = "completed"
    """Only later versions write it; anything else is a failure of the provider or the runner."""


class _RustReport(Struct):
    id: str
    created_at: str
    eval_set: _EvalSet
    results: list[None]


class _Judged(NamedTuple):
    key: CaseKey
    score: float | None
    """None where it was not judged."""
    correct: bool


def _ours(report: _Report, file: Path, path: str) -> RecordedReport:
    settings = report.settings
    toolchains: set[str | None] = set()
    sandboxes: set[str | None] = set()

    def judged() -> Iterator[_Judged]:
        for result in read_results(file, msgspec.json.Decoder(_Result)):
            toolchains.add(result.provenance.toolchain)
            sandboxes.add(result.provenance.sandbox)
            yield _judged(result, path)

    return RecordedReport(
        path=path,
        id=report.id,
        created_at=report.created_at,
        pass_k=tuple(settings.pass_k),
        cases=_by_case(judged()),
        conditions={
            **_conditions_of_sets(report.eval_sets),
            "toolchain": _listed(toolchains),
            "sandbox": _listed(sandboxes),
            "prompt template": settings.prompt_template_hash,
            "temperature": _text(settings.temperature),
            "max tokens": _text(settings.max_tokens),
        },
        tags={CaseId(each.id, case.id): case.tags for each in report.eval_sets for case in each.cases if case.tags},
    )


def _of_rust_tool(report: _RustReport, file: Path, path: str) -> RecordedReport:
    unknown = ("toolchain", "sandbox", "prompt template", "temperature", "max tokens")
    # the weights are those of the formula, because it is us who score it
    eval_set = _EvalSet(id=report.eval_set.id, weights=_Weights())
    results = read_results(file, msgspec.json.Decoder(_RustResult))
    return RecordedReport(
        path=path,
        id=report.id,
        created_at=report.created_at,
        pass_k=(1,),
        cases=_by_case(_scored(result, eval_set.id) for result in results),
        conditions={**_conditions_of_sets([eval_set]), **dict.fromkeys(unknown)},
    )


def _judged(result: _Result, path: str) -> _Judged:
    key = CaseKey(result.eval_set_id, result.case_id, f"{result.provider}/{result.model}")
    if result.outcome == "unjudged":
        return _Judged(key, None, False)
    if result.score is None:
        raise UserError(f"{path}: {'/'.join(key)} is judged, but has no score")
    return _Judged(key, result.score.overall, result.correct is True)


def _scored(result: _RustResult, eval_set_id: str) -> _Judged:
    key = CaseKey(eval_set_id, result.case_id, f"{result.provider}/{result.model}")
    if result.status != "completed":
        return _Judged(key, None, False)
    if not result.compilation.success:
        return _Judged(key, 0.0, False)
    tests = result.test_execution or _RustTests(passed=0, failed=0)
    ran = tests.passed + tests.failed
    rate = tests.passed / ran if ran else 0.0
    warnings = result.clippy.warning_count if result.clippy else 0
    return _Judged(key, of_compiled(rate, warnings, Weights()).overall, rate == 1.0)


def _by_case(judged: Iterable[_Judged]) -> dict[CaseKey, RecordedCase]:
    scores: dict[CaseKey, list[float]] = {}
    correct: dict[CaseKey, int] = {}
    for each in judged:
        of_case = scores.setdefault(each.key, [])
        if each.score is not None:
            of_case.append(each.score)
        correct[each.key] = correct.get(each.key, 0) + each.correct
    return {key: RecordedCase(scores=tuple(scores[key]), correct=correct[key]) for key in sorted(scores)}


def _conditions_of_sets(eval_sets: Sequence[_EvalSet]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for each in eval_sets:
        found[f"eval set {each.id}"] = each.hash or None
        found[f"weights of {each.id}"] = _weights(each.weights) if each.weights else None
    return found


def _weights(weights: _Weights) -> str:
    return f"compilation {weights.compilation}, tests {weights.tests}, clippy {weights.lint}"


def _listed(values: Iterable[str | None]) -> str | None:
    return ", ".join(sorted({value for value in values if value})) or None


def _text(value: float | None) -> str | None:
    return None if value is None else str(value)
