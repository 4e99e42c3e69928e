"""`forgetest list-models`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from forgetest import config as configuration
from forgetest import plugins
from forgetest.cli.options import config_option
from forgetest.cli.output import echo, echo_json, say
from forgetest.config import Settings
from forgetest.engine.asking.sources import price_of
from forgetest.errors import ForgetestError, UserError
from forgetest.files.schema import nearest
from forgetest.pricing import Price
from forgetest.providers import Model
from forgetest.renderers.model_table import UNKNOWN
from forgetest.renderers.terminal import table


@click.command("list-models", short_help="Show the models that can be asked.")
@config_option
@click.option("--provider", metavar="NAME", help="Only the models of this provider, configured or installed.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def command(config: Path | None, provider: str | None, as_json: bool) -> int:
    """Show the models that can be asked, for `run --models`, with prices and context where they are known.

    \b
      forgetest list-models
      forgetest list-models --provider openai --json
    """
    settings = configuration.load(file=config)
    names = _providers(settings, provider)
    listed, problems = _models_and_problems(settings, names)
    if as_json:
        _print_json(listed)
    elif listed:
        _print_table(listed)
    for problem in problems:
        say(f"warning: {problem}")
    if settings.unconfigured and provider is None:
        say(f"not configured: {', '.join(sorted(settings.unconfigured))}; docs/providers.md says how")
    if not listed:
        raise UserError(f"provider {provider} lists no model" if provider else "no provider has a model to offer")
    return 0


@dataclass(frozen=True, slots=True)
class _ListedModel:
    name: str
    model: Model
    price: Price | None


def _providers(settings: Settings, chosen: str | None) -> list[str]:
    """Return the names of the providers to ask: the chosen one, or all that are configured or need no configuration."""
    known = {*settings.providers, *plugins.names("providers")}
    if chosen is None:
        return sorted(known - settings.unconfigured)
    if chosen not in known:
        guess = nearest(chosen, sorted(known))
        hint = f'did you mean "{guess}"?' if guess else f"there are: {', '.join(sorted(known))}"
        raise UserError(f"--provider {chosen}: neither configured nor installed; {hint}")
    return [chosen]


def _models_and_problems(settings: Settings, providers: Sequence[str]) -> tuple[list[_ListedModel], list[str]]:
    """Return the models of all providers, and the problems of those that cannot be asked."""
    listed: list[_ListedModel] = []
    problems: list[str] = []
    for name in providers:
        kind, table_ = settings.provider(name)
        try:
            models: list[Model] = plugins.find("providers", kind)(table_).models()
        except ForgetestError as error:  # a provider that fails must not hide the others
            problems.append(f"{name}: {error}")
        else:
            listed += [
                _ListedModel(f"{name}/{model.id}", model, price_of(settings, name, model.id)) for model in models
            ]
    return listed, problems


def _print_json(listed: Sequence[_ListedModel]) -> None:
    rows = [
        {
            "model": entry.name,
            "context_tokens": entry.model.context_tokens,
            "description": entry.model.description,
            "price": None if entry.price is None else entry.price._asdict(),
        }
        for entry in listed
    ]
    echo_json(rows)


def _print_table(listed: Sequence[_ListedModel]) -> None:
    rows = [[entry.name, entry.model.description, *_model_figures(entry.model, entry.price)] for entry in listed]
    headings = ["Model", "Description", "Context", "$ in", "$ out"]
    echo("\n".join(table(headings, rows, left=2)))
    echo("\nPrices in USD per million tokens of prompt and answer.")


def _model_figures(model: Model, price: Price | None) -> list[str]:
    context = UNKNOWN if model.context_tokens is None else f"{model.context_tokens:,}"
    prices = [UNKNOWN, UNKNOWN] if price is None else [f"{price.input:.2f}", f"{price.output:.2f}"]
    return [context, *prices]
