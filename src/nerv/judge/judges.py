"""Judges by name: the `claude` command line, or any model of a configured provider."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from forgetest import config, plugins
from forgetest.errors import UserError
from nerv.judge.answer import ANSWER_SCHEMA
from nerv.judge.model_judge import ModelJudge

_CLAUDE = "claude"


def find_judge(name: str, timeout_s: float, say: Callable[[str], None]) -> ModelJudge:
    """Return a judge: `claude` with its default model, or `provider/model`. Raises UserError if there is none."""
    provider_name, slash, model = name.partition("/")
    if not slash and name != _CLAUDE:
        raise UserError(f"--grader {name}: name a provider and a model, such as anthropic/claude-sonnet-4-5")
    if slash and not model:
        raise UserError(f"--grader {name}: the model is missing after the slash")
    kind, settings = config.load().provider(provider_name)
    limit: float | None = timeout_s
    if kind == _CLAUDE:
        if shutil.which(_CLAUDE) is None:
            raise UserError(
                "the program `claude` is not on the PATH: install it with `npm install -g @anthropic-ai/claude-code`, "
                "or choose another judge with --grader PROVIDER/MODEL"
            )
        settings, limit = {**settings, "timeout_secs": timeout_s}, None
    provider = plugins.find("providers", kind)(settings)
    options = {"json_schema": ANSWER_SCHEMA} if kind == _CLAUDE else {}
    return ModelJudge(name=name, provider=provider, model=model, timeout_s=limit, options=options, say=say)
