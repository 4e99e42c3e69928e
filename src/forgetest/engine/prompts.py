"""What a model is told: the system prompt, and a case's prompt with the files it may look at."""

from __future__ import annotations

import hashlib

from forgetest.evalset import Case

SYSTEM = (
    "You are an expert {language} programmer. Answer with one fenced code block that holds the complete code asked "
    "for, ready to compile as it stands: no explanation, no example usage, no tests."
)
CONTEXT = "\n\nThe file `{path}`:\n\n```\n{content}\n```"


def template_hash() -> str:
    """Identifies the words of ours; two runs with different ones are not alike."""
    return hashlib.sha256(f"{SYSTEM}\0{CONTEXT}".encode()).hexdigest()[:16]


def system(case: Case) -> str:
    """The system prompt for a case."""
    return SYSTEM.format(language=case.language.capitalize())


def prompt(case: Case) -> str:
    """The user's prompt for a case."""
    return case.prompt.strip() + "".join(
        CONTEXT.format(path=file.path, content=file.content.rstrip("\n")) for file in case.context
    )
