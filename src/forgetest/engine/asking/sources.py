"""Models of a run → sources of answers, built from the configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from forgetest import config, plugins, pricing
from forgetest.engine.asking import prompts
from forgetest.engine.asking.ask import Source
from forgetest.engine.asking.batches import BatchOptions
from forgetest.engine.asking.budget import Budget
from forgetest.engine.asking.client import ModelClient
from forgetest.engine.asking.rate_limit import RateLimiter, RateLimits
from forgetest.engine.asking.requests import RequestBuilder, most_cost
from forgetest.engine.asking.response_cache import ResponseCache, key_of
from forgetest.engine.plan import Generation, Plan
from forgetest.errors import UserError
from forgetest.evalset import EvalSet
from forgetest.evalset.generation import GenerationSettings
from forgetest.pricing import Price
from forgetest.providers import Batching, ManyAtOnce, Preparable, Provider
from forgetest.sample import Attempt

BATCH_POLL_SECS = 30.0
_EMBEDDED = "embedded"


def _announce_nothing(_message: str) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """Options that hold for all models of a run."""

    budget: Budget | None = None
    cache: ResponseCache | None = None
    batch: bool = False
    """Submit requests as batches. Without, only batches of earlier sessions are collected."""
    announce: Callable[[str], None] = _announce_nothing
    """Called with a sentence for the user, as when a batch has been submitted."""


class Models:
    """The configured providers and their models. Each provider is created once, when it is first needed."""

    def __init__(self, settings: config.Settings) -> None:
        self._settings = settings
        self._providers: dict[str, Provider] = {}

    def resolve(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Return the provider and the model that each name stands for, without duplicates.

        A name is `provider/model`, or a model of the default provider. With no names, it is the default model.
        """
        return list(dict.fromkeys(self._resolve(name) for name in names or [""]))

    def prices(self, plan: Plan) -> dict[str, Price | None]:
        """Return the price of each model of a plan; None where it is not known."""
        return {
            attempt.model_name: price_of(self._settings, attempt.provider, attempt.model) for attempt in plan.attempts
        }

    def generation(
        self,
        temperature: float | None,
        overrides: GenerationSettings,
        models: Sequence[tuple[str, str]],
        eval_sets: Sequence[EvalSet],
    ) -> Generation:
        """Return the generation settings of a run: `overrides`, then the configuration, then the defaults."""
        generation = Generation(
            temperature=self._settings.default_temperature if temperature is None else temperature,
            settings=overrides.merged_over(self._settings.generation),
            prompt_template_hash="",
            from_command_line=tuple(overrides.given()),
            provider_options=self._provider_options(models),
        )
        used = [generation.settings_for(eval_set) for eval_set in eval_sets]
        template_hash = prompts.template_hash((settings.system_prompt, settings.prompt_template) for settings in used)
        return replace(generation, prompt_template_hash=template_hash)

    def sources(
        self, plan: Plan, prices: Mapping[str, Price | None], options: SourceOptions | None = None
    ) -> dict[str, Source]:
        """Return a source of answers for each model of a plan, by its name; its provider is ready to be asked."""
        options = options or SourceOptions()
        requests = RequestBuilder(plan)
        sources: dict[str, Source] = {}
        for attempt in plan.attempts:
            if attempt.model_name not in sources:
                sources[attempt.model_name] = self._source(attempt, requests, prices[attempt.model_name], options)
        return sources

    def _resolve(self, name: str) -> tuple[str, str]:
        provider, slash, model = name.partition("/")
        if not name:
            return self._default_model()
        if provider and model:
            return provider, model
        providers = {*self._settings.providers, *plugins.names("providers")}
        if name in providers or slash:
            raise UserError(f"--models {name}: which model? `forgetest list-models` shows them: {provider}/MODEL")
        default = self._settings.default_provider
        # only the embedded provider is sure to list all of its models, without a request to a service
        if default == _EMBEDDED and name not in {listed.id for listed in self._provider(default).models()}:
            raise UserError(
                f"--models {name}: the default provider {default} has no such model; give provider/model, "
                f"with one of these providers: {', '.join(sorted(providers))}"
            )
        return default, name

    def _default_model(self) -> tuple[str, str]:
        provider = self._settings.default_provider
        model = self._settings.default_model or next((listed.id for listed in self._provider(provider).models()), "")
        if not model:
            raise UserError(f"provider {provider} lists no model; give --models {provider}/MODEL")
        return provider, model

    def _provider(self, name: str) -> Provider:
        if name not in self._providers:
            kind, table = self._settings.provider(name)
            self._providers[name] = plugins.find("providers", kind)(table)
        return self._providers[name]

    def _provider_options(self, models: Sequence[tuple[str, str]]) -> dict[str, Mapping[str, object]]:
        """Return the configured `options` of each provider, which its answers depend on."""
        tables = {provider: self._settings.provider(provider)[1].get("options") for provider, _ in models}
        return {provider: table for provider, table in sorted(tables.items()) if isinstance(table, Mapping) and table}

    def _source(self, first: Attempt, requests: RequestBuilder, price: Price | None, options: SourceOptions) -> Source:
        """Return the source for the model of an attempt."""
        kind, table = self._settings.provider(first.provider)
        if options.budget is not None and price is None and kind in pricing.VENDORS_HOSTS:
            raise UserError(
                f"--max-cost: the price of {first.model_name} is not known; "
                f'set input and output in [providers.{first.provider}.prices."{first.model}"]'
            )
        provider = self._provider(first.provider)
        if options.batch and not isinstance(provider, Batching):
            raise UserError(f"--batch: provider {first.provider} takes no batches; leave it out, or the model")
        if isinstance(provider, Preparable):
            provider.prepare(options.announce)
        limits = self._settings.limits(first.provider)
        client = ModelClient(
            provider,
            requests.build,
            RateLimiter(
                RateLimits(
                    in_flight=provider.concurrency,
                    requests_per_minute=limits.get("requests_per_minute"),
                    tokens_per_minute=limits.get("tokens_per_minute"),
                )
            ),
            price=price,
            budget=options.budget,
            cache=options.cache,
            cache_key=lambda attempt: key_of(kind, table, requests.build(attempt), attempt.attempt),
        )
        batches = None
        if isinstance(provider, Batching):
            batch_price = pricing.in_a_batch(price)
            batches = BatchOptions(
                batches=provider.batches,
                request=requests.build,
                poll_s=limits.get("batch_poll_secs", BATCH_POLL_SECS),
                submit=options.batch,
                most_cost=lambda attempt: most_cost(requests.build(attempt), batch_price),
                budget=options.budget,
                cached=client.cached,
                keep=client.keep,
                announce=options.announce,
            )
        # each cached answer belongs to a request of its own, so the cache excludes several answers to one request
        several = options.cache is None and isinstance(provider, ManyAtOnce)
        return Source(
            ask=client.ask,
            concurrency=provider.concurrency,
            together=limits.get("samples_per_request", 1) if several else 1,
            ask_together=client.ask_together,
            batches=batches,
        )


def price_of(settings: config.Settings, provider: str, model: str) -> Price | None:
    """Return the configured price of a model, or its list price at the vendor's own address, or None."""
    kind, table = settings.provider(provider)
    tables = table.get("prices", {})
    own = pricing.configured(tables) if isinstance(tables, Mapping) else {}
    address = table.get("base_url")
    as_listed = address is None or urlsplit(str(address)).hostname == pricing.VENDORS_HOSTS.get(kind)
    return pricing.price_of(kind, model, own, as_listed=as_listed)
