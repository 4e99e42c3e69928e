"""Code of a model's answer."""

from __future__ import annotations

from forgetest import extraction
from forgetest.sample import Completion


def code_of(completion: Completion, language: str) -> tuple[str | None, str | None]:
    """Return the code in an answer, and why it is not judged; None where it is."""
    if completion.finish == "refusal":
        return None, "the model refused"
    if not completion.text.strip():
        return None, "the answer is empty"
    code = completion.text if completion.verbatim else extraction.extract(completion.text, language)
    if completion.finish == "length":
        return code, "the answer was cut off by the token limit"
    return code, None if code is not None else "the answer has no code"
