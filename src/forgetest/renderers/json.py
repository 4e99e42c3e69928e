"""The JSON report, written as a stream: header, one result after the other, aggregate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

import msgspec

from forgetest.report import FILENAME, Report, encode_aggregate, encode_header, encode_sample

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
    stream.write(',\n  "aggregate": ' + _indented(encode_aggregate(report.aggregate), depth=1) + "\n}\n")


def _indented(value: Mapping[str, Any], *, depth: int) -> str:
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    # a line break inside a string is escaped, so these are all between tokens
    return text.replace("\n", "\n" + "  " * depth)
