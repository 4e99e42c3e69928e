from __future__ import annotations

import pytest

from forgetest.engine.judging.answer_code import code_of
from forgetest.sample import Completion


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        (Completion(text="I cannot help with that.", finish="refusal"), "the model refused"),
        (Completion(text=" \n\t"), "the answer is empty"),
        (Completion(text="Recursion is when a function calls itself."), "the answer has no code"),
        (Completion(text="```rust\nfn f() {", finish="length"), "the answer was cut off by the token limit"),
        (Completion(text="```rust\nfn f() {}\n```", finish="length"), "the answer was cut off by the token limit"),
    ],
    ids=["refusal", "empty", "no code", "cut off", "cut off behind the code"],
)
def test_an_answer_without_complete_code_has_a_reason(completion: Completion, reason: str) -> None:
    assert code_of(completion, "rust")[1] == reason


def test_the_code_is_extracted_from_an_answer() -> None:
    code, reason = code_of(Completion(text="Sure:\n```rust\nfn f() {}\n```\nDone."), "rust")

    assert (code or "").strip() == "fn f() {}"
    assert reason is None


def test_verbatim_text_is_code_as_it_stands() -> None:
    text = "// ```rust\nfn f() {}\n// ```\n"

    assert code_of(Completion(text=text, verbatim=True), "rust") == (text, None)


def test_an_answer_beyond_the_limit_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forgetest.extraction.extract", lambda *_: pytest.fail("it was parsed"))

    assert code_of(Completion(text="ä" * 6), "rust", 11) == (None, "the sample has 12 bytes, more than the limit of 11")


def test_an_answer_of_exactly_the_limit_is_judged() -> None:
    assert code_of(Completion(text="fn f() {}", verbatim=True), "rust", 9) == ("fn f() {}", None)


def test_a_megabyte_is_the_default_limit() -> None:
    assert code_of(Completion(text=" " * 999_999 + "x", verbatim=True), "rust")[1] is None
    assert code_of(Completion(text=" " * 1_000_000 + "x", verbatim=True), "rust")[0] is None
