"""The JSON report, written as a stream: the header, the results one by one, the aggregate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import IO, Any

import msgspec

from forgetest.report import FILENAME, Report
from forgetest.report.aggregate import Aggregate
from forgetest.report.encode import encode_aggregate, encode_case, encode_header, encode_sample

__all__ = ["FILENAME", "write"]


def write(report: Report, stream: IO[str]) -> None:
    """Write the report; equal reports give equal bytes."""
    stream.write(_indented(encode_header(report), depth=0).removesuffix("\n}"))
    stream.write(',\n  "results": [')
    separator = "\n    "
    for sample in report.results:
        stream.write(separator + _indented(encode_sample(sample), depth=2))
        separator = ",\n    "
    stream.write("]" if separator == "\n    " else "\n  ]")
    stream.write(',\n  "aggregate": {')
    separator = "\n    "
    for name, value in encode_aggregate(replace(report.aggregate, per_case={})).items():
        stream.write(f'{separator}"{name}": ')
        separator = ",\n    "
        if name == "per_case":
            stream.writelines(_per_case(report.aggregate))
        else:
            stream.write(_indented(value, depth=2))
    stream.write("\n  }\n}\n")


def _per_case(summed_up: Aggregate) -> Iterator[str]:
    """Yield the cases one by one: there may be as many as there are samples."""
    if not summed_up.per_case:
        yield "{}"
        return
    within: str | None = None
    for case, models in summed_up.per_case.items():
        if case.eval_set_id == within:
            yield ","
        else:
            yield "{" if within is None else "\n      },"
            yield f"\n      {_string(case.eval_set_id)}: {{"
            within = case.eval_set_id
        yield f"\n        {_string(case.case_id)}: {_indented(encode_case(models), depth=4)}"
    yield "\n      }\n    }"


def _string(text: str) -> str:
    return msgspec.json.encode(text).decode()


def _indented(value: Any, *, depth: int) -> str:
    """Return indented JSON for a place that is `depth` levels inside the document."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    # no string is touched: JSON writes a line break in a string as \\n
    return text.replace("\n", "\n" + "  " * depth)
