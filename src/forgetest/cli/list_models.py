"""`forgetest list-models`."""

from __future__ import annotations

import json

import click

from forgetest import config, plugins
from forgetest.cli.workplace import say
from forgetest.errors import ForgetestError, UserError
from forgetest.renderers.terminal import table


@click.command("list-models", short_help="Show the models that can be asked.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def command(as_json: bool) -> int:
    """Show the models that can be asked, for `run --models`.

    \b
      forgetest list-models
      forgetest list-models --json
    """
    settings = config.load()
    names = sorted({*settings.providers, *plugins.names("providers")} - settings.unconfigured)
    found, broken = [], []
    for name in names:
        kind, table_ = settings.provider(name)
        try:
            models = plugins.find("providers", kind)(table_).models()
            found += [(f"{name}/{model.id}", model.context_tokens, model.description) for model in models]
        except ForgetestError as error:  # a plugin that is broken does not hide the others
            broken.append(f"{name}: {error}")
    if as_json:
        rows = [{"model": model, "context_tokens": context, "description": text} for model, context, text in found]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    elif found:
        shown = [[model, text, "n/a" if context is None else f"{context:,}"] for model, context, text in found]
        click.echo("\n".join(table(["Model", "Description", "Context"], shown, left=2)))
    for message in broken:
        say(f"warning: {message}")
    if settings.unconfigured:
        say(f"not configured: {', '.join(sorted(settings.unconfigured))}; docs/providers.md says how")
    if not found:
        raise UserError("no provider has a model to offer")
    return 0
