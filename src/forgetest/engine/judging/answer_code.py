"""Code of a model's answer."""

from __future__ import annotations

from forgetest import extraction
from forgetest.sample import DEFAULT_MAX_SAMPLE_SIZE, Completion


def code_of(
    completion: Completion, language: str, max_size: int = DEFAULT_MAX_SAMPLE_SIZE
) -> tuple[str | None, str | None]:
    """Return the code in an answer, and why it is not judged; None where it is.

    An answer of more than `max_size` bytes is not looked into.
    """
    if completion.finish == "refusal":
        return None, "the model refused"
    if not completion.text.strip():
        return None, "the answer is empty"
    size = len(completion.text.encode(errors="surrogatepass"))
    if size > max_size:
        return None, f"the sample has {size} bytes, more than the limit of {max_size}"
    code = completion.text if completion.verbatim else extraction.extract(completion.text, language)
    if completion.finish == "length":
        return code, "the answer was cut off by the token limit"
    return code, None if code is not None else "the answer has no code"
