"""Secrets in a run's material, which must not be sent to a judge: agents print their environment and key files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nerv.judge.material import MaterialPart

REDACTED = "[secret]"
_KEYS = re.compile(
    r"\bsk-(?=[\w-]*\d)[\w-]{20,}"
    r"|\bgh[pousr]_\w{30,}|\bgithub_pat_\w{40,}|\bglpat-[\w-]{20,}"
    r"|\bxox[abprs]-[\w-]{20,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{35}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    re.S,
)
"""Keys of model services, forges, chats and clouds, by the forms that their owners gave them for this purpose."""


def redact(parts: Sequence[MaterialPart], secrets: Sequence[str]) -> tuple[MaterialPart, ...]:
    """Return the material without keys of a known form, and without these values."""
    return tuple(replace(part, text=_redacted(part.text, secrets)) for part in parts)


def _redacted(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, REDACTED)
    return _KEYS.sub(REDACTED, text)
