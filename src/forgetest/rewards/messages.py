"""The text of an answer, in the forms in which trainers hand it over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def text_of(completion: Any) -> str:
    """Return a completion's text: the text itself, or the last message of the model."""
    if isinstance(completion, str):
        return completion
    for message in reversed(completion):
        if message.get("role", "assistant") == "assistant":
            return _text_of_content(message.get("content"))
    return ""


def text_of_response(response: Mapping[str, Any]) -> str:
    """Return the text of the last message in a response of OpenAI's Responses API."""
    for item in reversed(response.get("output", ())):
        if item.get("type", "message") == "message" and item.get("role", "assistant") == "assistant":
            return _text_of_content(item.get("content"))
    return ""


def _text_of_content(content: str | Sequence[Mapping[str, Any]] | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part["text"] for part in content if part.get("type") in ("text", "output_text"))
