"""Prompts: the system prompt, and a case's prompt with its context files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from forgetest.evalset import Case
from forgetest.language import find

SYSTEM = (
    "You are an expert {language} programmer. Answer with one fenced code block that holds the complete code asked "
    "for, ready to {ready} as it stands: no explanation, no example usage, no tests."
)
CONTEXT = "\n\nThe file `{path}`:\n\n```\n{content}\n```"
TEMPLATE = "{prompt}{context}"
"""Both may be overridden, see `forgetest.evalset.generation`."""


def template_hash(others: Iterable[tuple[str | None, str | None]] = ()) -> str:
    """Return a hash of the prompt texts that are not a case's own; runs with different ones are not comparable.

    `others`: the system prompts and templates that are used instead of ours.
    """
    ours = SYSTEM.replace("{ready}", "compile")
    words = [f"{ours}\0{CONTEXT}"]
    for system_prompt, prompt_template in others:
        if (system_prompt, prompt_template) != (None, None):
            words.append(f"{ours if system_prompt is None else system_prompt}\0{prompt_template or TEMPLATE}")
    return hashlib.sha256("\0\0".join(words).encode()).hexdigest()[:16]


def system(case: Case, system_prompt: str | None = None) -> str:
    """Return the system prompt for a case."""
    case_language = find(case.language)
    if system_prompt is not None:
        return _fill_template(system_prompt, language=case_language.title)
    return _fill_template(SYSTEM, language=case_language.title, ready=case_language.ready)


def prompt(case: Case, prompt_template: str | None = None) -> str:
    """Return the user's prompt for a case."""
    context = "".join(CONTEXT.format(path=file.path, content=file.content.rstrip("\n")) for file in case.context)
    template = TEMPLATE if prompt_template is None else prompt_template
    if "{context}" not in template:
        template += "{context}"  # what a case shows to the model is part of its task
    return _fill_template(
        template,
        prompt=case.prompt.strip(),
        context=context,
        language=find(case.language).title,
    )


def _fill_template(template: str, **values: str) -> str:
    """Fill a template in one pass: other braces are code, and stay."""
    return re.sub(rf"\{{({'|'.join(values)})\}}", lambda place: values[place[1]], template)
