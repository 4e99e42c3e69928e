"""`forgetest list-models`."""

from __future__ import annotations

import json

import click

from forgetest import config, plugins
from forgetest.cli.workplace import say
from forgetest.engine.asking.sources import price_of
from forgetest.errors import ForgetestError, UserError
from forgetest.pricing import Price
from forgetest.providers import Model
from forgetest.renderers.model_table import UNKNOWN
from forgetest.renderers.terminal import table


@click.command("list-models", short_help="Show the models that can be asked.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def command(as_json: bool) -> int:
    """Show the models that can be asked, for `run --models`, with prices and context where they are known.

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
            found += [(f"{name}/{model.id}", model, price_of(settings, name, model.id)) for model in models]
        except ForgetestError as error:  # a plugin that is broken does not hide the others
            broken.append(f"{name}: {error}")
    if as_json:
        rows = [
            {
                "model": name,
                "context_tokens": model.context_tokens,
                "description": model.description,
                "price": None if price is None else price._asdict(),
            }
            for name, model, price in found
        ]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    elif found:
        shown = [[name, model.description, *_numbers(model, price)] for name, model, price in found]
        headings = ["Model", "Description", "Context", "$ in", "$ out"]
        click.echo("\n".join(table(headings, shown, left=2)))
        click.echo("\nPrices in USD per million tokens of prompt and answer.")
    for message in broken:
        say(f"warning: {message}")
    if settings.unconfigured:
        say(f"not configured: {', '.join(sorted(settings.unconfigured))}; docs/providers.md says how")
    if not found:
        raise UserError("no provider has a model to offer")
    return 0


def _numbers(model: Model, price: Price | None) -> list[str]:
    context = UNKNOWN if model.context_tokens is None else f"{model.context_tokens:,}"
    prices = [UNKNOWN, UNKNOWN] if price is None else [f"{price.input:.2f}", f"{price.output:.2f}"]
    return [context, *prices]
