"""The compiler's JSON → diagnostics with a place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.compile import diagnostics
from forgetest.toolchains.rust.compile.diagnostics import Remark
from forgetest.verdict import Span


def span(file: str = "<anon>", line: int = 2, *, line_end: int | None = None, **further: Any) -> dict[str, Any]:
    return {
        "file_name": file,
        "line_start": line,
        "line_end": line if line_end is None else line_end,
        "column_start": 5,
        "column_end": 9,
        "is_primary": True,
        **further,
    }


def message(*spans: dict[str, Any], level: str = "error", code: str | None = "E0425", **further: Any) -> dict[str, Any]:
    fields = {"message": "cannot find it", "level": level, "code": {"code": code} if code else None}
    return {"$message_type": "diagnostic", **fields, "spans": list(spans), "children": [], "rendered": "…", **further}


def read(*messages: dict[str, Any], before: str = "") -> tuple[Remark, ...]:
    lines = [before, *(json.dumps(message) for message in messages)]
    return diagnostics.read("\n".join(lines).encode(), sample_lines=10, first_signature_line=4)


def test_a_remark_has_level_code_message_and_spans():
    (remark,) = read(message(span()))
    assert remark.is_error
    assert not remark.is_lint
    assert (remark.place, remark.line) == ("sample", 2)
    assert (remark.diagnostic.level, remark.diagnostic.code) == ("error", "E0425")
    assert remark.diagnostic.message == "cannot find it"
    assert remark.diagnostic.spans == (Span(line_start=2, line_end=2, column_start=5, column_end=9),)


@pytest.mark.parametrize(
    ("where", "place"),
    [
        (span("<anon>", 10), "sample"),
        (span("<anon>", 11), "tests"),
        (span("<anon>", 9, line_end=12), "tests"),
        (span("glue.rs", 1), "names"),
        (span("glue.rs", 3), "names"),
        (span("glue.rs", 4), "signatures"),
        (span("tests.rs", 1), "tests"),
    ],
)
def test_file_and_line_determine_the_place(where: dict[str, Any], place: str):
    (remark,) = read(message(where))
    assert remark.place == place
    assert bool(remark.diagnostic.spans) == (place == "sample")


def test_only_primary_spans_count():
    (remark,) = read(message(span(line=1, is_primary=False), span(line=3)))
    assert [span.line_start for span in remark.diagnostic.spans] == [3]


def test_without_a_primary_span_the_first_one_is_taken():
    (remark,) = read(message(span(line=1, is_primary=False), span(line=3, is_primary=False)))
    assert [span.line_start for span in remark.diagnostic.spans] == [1]


def test_a_macro_of_std_is_placed_where_it_is_called():
    inside = span("/rustc/abc/library/core/src/macros.rs", 40, expansion={"span": span(line=7)})
    (remark,) = read(message(span("/tc/lib/x.rs", 1, expansion={"span": inside})))
    assert (remark.place, remark.line) == ("sample", 7)


def test_a_macro_of_the_samples_own_is_placed_where_it_is_defined():
    (remark,) = read(message(span(line=3, expansion={"span": span("tests.rs", 1)})))
    assert (remark.place, remark.line) == ("sample", 3)


@pytest.mark.parametrize(
    ("code", "is_lint"), [("E0425", False), ("clippy::eq_op", True), ("dead_code", True), (None, False)]
)
def test_lints_have_names_and_errors_have_numbers(code: str | None, is_lint: bool):
    (remark,) = read(message(span(), code=code))
    assert remark.is_lint == is_lint


def test_summaries_notes_and_lines_that_are_not_json_are_left_out():
    remarks = read(
        message(level="error", code=None, message="aborting due to 2 previous errors"),
        message(level="warning", code=None, message="3 warnings emitted"),
        message(span(), level="failure-note"),
        {"$message_type": "artifact", "artifact": "x"},
        before="thread 'rustc' panicked at src/x.rs",
    )
    assert remarks == ()


def test_an_error_without_a_position_is_attributed_to_the_sample():
    (remark,) = read(message(code=None, message="linking failed"))
    assert (remark.place, remark.diagnostic.spans) == ("sample", ())


def test_a_crash_of_the_compiler_is_an_error():
    (remark,) = read(message(span(), level="error: internal compiler error", code=None))
    assert remark.diagnostic.level == "error"


def test_proposed_imports_are_collected():
    proposals = [
        span(suggested_replacement="use std::fmt::Write;\n"),
        span(suggested_replacement="use crate::shapes::Area;\n\n"),
        span(suggested_replacement="// use it;"),
        span(suggested_replacement=None),
    ]
    (remark,) = read(message(span(), children=[message(*proposals, level="help", code=None)]))
    assert remark.suggested_imports == ("std::fmt::Write", "crate::shapes::Area")


@given(
    st.binary() | st.recursive(st.none() | st.booleans() | st.text(), st.lists).map(lambda x: json.dumps(x).encode())
)
def test_any_compiler_output_can_be_read(stderr: bytes):
    assert diagnostics.read(stderr, sample_lines=1, first_signature_line=4) == ()


# ---- several samples ----


def shared(*messages: dict[str, Any]) -> diagnostics.SharedRemarks:
    stderr = "\n".join(json.dumps(message) for message in messages).encode()
    return diagnostics.read_shared(stderr, [10, 10, 10], first_signature_line=4)


def test_each_remark_goes_to_the_sample_whose_file_it_is_about():
    remarks = shared(
        message(span("1/sample.rs")),
        message(span("2/tests.rs")),
        message(span("1/glue.rs", 5)),
        message(span("0/glue.rs")),
    )
    assert [[remark.place for remark in own] for own in remarks.by_sample] == [
        ["names"],
        ["sample", "signatures"],
        ["tests"],
    ]
    assert (remarks.entangled, remarks.unattributed) == (set(), [])


def test_messages_name_files_the_same_way_in_shared_calls():
    alone = read(message(span(), message="closure@<anon>:1:2", level="warning"))
    remarks = shared(message(span("2/sample.rs"), message="closure@2/sample.rs:1:2", level="warning"))
    assert remarks.by_sample[2][0].diagnostic == alone[0].diagnostic
    assert alone[0].diagnostic.message == "closure@sample.rs:1:2"


def test_samples_that_one_remark_mentions_together_are_entangled():
    remarks = shared(message(span("0/sample.rs"), span("2/sample.rs", is_primary=False), level="warning"))
    assert remarks.entangled == {0, 2}


def test_an_error_in_none_of_the_samples_files_is_unattributed():
    remarks = shared(message(span("<anon>")), message(), message(span("/rustc/x.rs")), message(span("4x/sample.rs")))
    assert len(remarks.unattributed) == 4
    assert remarks.by_sample == [[], [], []]


def test_a_warning_in_none_of_the_samples_files_is_left_out():
    assert shared(message(span("<anon>"), level="warning")) == diagnostics.SharedRemarks([[], [], []], set(), [])


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("E0433", "cannot find `Error` in `names`", {"Error"}),
        ("E0433", "failed to resolve: use of undeclared type `Stack`", {"Stack"}),
        ("E0432", "unresolved imports `crate::a`, `crate::b::c`", {"a", "c"}),
        ("E0308", "mismatched types: `a`", set()),
    ],
)
def test_names_that_the_compiler_did_not_find_are_read_off_its_message(code: str, text: str, expected: set[str]):
    (remark,) = read(message(span(), code=code, message=text))
    assert remark.unresolved_names == expected
