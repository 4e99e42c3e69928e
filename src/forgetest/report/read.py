"""A report's file → Report: whole, with results that are read from the file whenever they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from forgetest.errors import UserError
from forgetest.evalset import Weights
from forgetest.evalset.file_names import FILE_NAMES
from forgetest.report import FORMAT_VERSION, CaseSummary, EvalSetSummary, Report, RunSettings, asked_cases
from forgetest.report.aggregate import aggregate
from forgetest.report.samples import RecordedSample, sample_of
from forgetest.report.stream import decode, file_of, read_header, read_results
from forgetest.sample import Sample


class _Opening(Struct):
    format_version: Any = None


class _Settings(Struct):
    pass_k: tuple[Annotated[int, Meta(ge=1)], ...]
    samples: int
    temperature: float | None
    max_tokens: int | None
    seed: int | None
    prompt_template_hash: str | None


class _Weights(Struct, rename=FILE_NAMES):
    compilation: float = Weights().compilation
    tests: float = Weights().tests
    lint: float = Weights().lint


class _EvalSet(Struct):
    id: str
    name: str
    case_count: int
    hash: str
    weights: _Weights
    cases: tuple[CaseSummary, ...] = ()

    def summary(self) -> EvalSetSummary:
        weights = Weights(**msgspec.structs.asdict(self.weights))
        return EvalSetSummary(**{**msgspec.structs.asdict(self), "weights": weights})


class _Report(Struct):
    id: str
    created_at: datetime
    duration_ms: float
    eval_sets: tuple[_EvalSet, ...]
    settings: dict[str, Any]
    models_evaluated: tuple[str, ...]


def open_report(path: Path) -> Report:
    """A report of ours, or the one in a run's folder. What it says of models is summed up from its results."""
    file = file_of(path)
    header = read_header(file)
    version = decode(header, _Opening, file).format_version
    if version != FORMAT_VERSION:
        raise UserError(f"{file}: no report of this forgetest: format_version is {version}, not {FORMAT_VERSION}")
    found = decode(header, _Report, file)
    eval_sets = tuple(each.summary() for each in found.eval_sets)
    settings = _settings(found.settings, file)
    results = _Results(file)
    return Report(
        id=found.id,
        created_at=found.created_at,
        duration_ms=found.duration_ms,
        eval_sets=eval_sets,
        settings=settings,
        models_evaluated=found.models_evaluated,
        results=results,
        aggregate=aggregate(results, asked_cases(eval_sets), settings.pass_k),
    )


def _settings(found: dict[str, Any], file: Path) -> RunSettings:
    known = decode(msgspec.json.encode(found), _Settings, file)
    derived = "weights"  # said again of each eval set
    return RunSettings(
        **msgspec.structs.asdict(known),
        further={name: value for name, value in found.items() if name not in {*_Settings.__struct_fields__, derived}},
    )


class _Results:
    """The samples in a report's file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._decoder = msgspec.json.Decoder(RecordedSample)

    def __iter__(self) -> Iterator[Sample]:
        previous = None
        for recorded in read_results(self._file, self._decoder):
            try:
                sample = sample_of(recorded)
            except ValueError as error:
                raise UserError(f"{self._file}: {error}") from None
            if previous is not None and sample.attempt <= previous:
                raise UserError(
                    f"{self._file}: results are not sorted, or there twice: {'/'.join(map(str, sample.attempt))}"
                )
            previous = sample.attempt
            yield sample
