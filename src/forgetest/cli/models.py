"""The models of a run: named on the command line, priced, and asked as the configuration says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from forgetest import config, plugins, pricing
from forgetest.cli.workplace import say
from forgetest.engine.asking import prompts
from forgetest.engine.asking.ask import Source
from forgetest.engine.asking.batches import ByBatch
from forgetest.engine.asking.budget import Purse
from forgetest.engine.asking.rate_limit import Limits, Pace
from forgetest.engine.asking.requests import most_cost, prompt_tokens, request_for
from forgetest.engine.asking.response_cache import Answers, key_of
from forgetest.engine.asking.retry import patient
from forgetest.engine.plan import Generation, Plan
from forgetest.errors import UserError
from forgetest.evalset import EvalSet
from forgetest.evalset.generation import GenerationSettings
from forgetest.pricing import Price
from forgetest.providers import Batching, ManyAtOnce, Provider
from forgetest.sample import Attempt, Completion, Request, in_total

"""Of an answer, where nobody says otherwise."""

BATCH_POLL_SECS = 30.0


class Models:
    """The providers that a run asks, each made once."""

    def __init__(self, settings: config.Settings) -> None:
        self._settings = settings
        self._made: dict[str, Provider] = {}

    def named(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Each `provider/model` in its parts, once; without any, the configured default."""
        return list(dict.fromkeys(self._named(name) for name in names or [""]))

    def _named(self, name: str) -> tuple[str, str]:
        provider, _, model = name.partition("/")
        provider = provider or self._settings.default_provider
        if not model:
            if name and name in plugins.names("providers"):
                raise UserError(f"--models {name}: which model? `forgetest list-models` shows them: {name}/MODEL")
            if name:
                raise UserError(
                    f"--models {name}: not like provider/model; providers: {', '.join(plugins.names('providers'))}"
                )
            model = self._settings.default_model or next((m.id for m in self._provider(provider).models()), "")
            if not model:
                raise UserError(f"provider {provider} names no model; give --models {provider}/MODEL")
        return provider, model

    def _options(self, models: Sequence[tuple[str, str]]) -> dict[str, Mapping[str, object]]:
        """What forgetest.toml has as options of each provider, which its answers depend on."""
        tables = {provider: self._settings.provider(provider)[1].get("options") for provider, _ in models}
        return {provider: table for provider, table in sorted(tables.items()) if isinstance(table, Mapping) and table}

    def prices(self, plan: Plan) -> dict[str, Price | None]:
        """The price of each model of a plan; None where it is not known."""
        return {
            attempt.model_name: price_of(self._settings, attempt.provider, attempt.model) for attempt in plan.attempts
        }

    def generation(
        self,
        temperature: float | None,
        from_command_line: GenerationSettings,
        models: Sequence[tuple[str, str]],
        eval_sets: Sequence[EvalSet],
    ) -> Generation:
        """How these models are asked: as the command line says, or else forgetest.toml, or else as usual."""
        generation = Generation(
            temperature=self._settings.default_temperature if temperature is None else temperature,
            settings=from_command_line.merged_over(self._settings.generation),
            prompt_template_hash="",
            from_command_line=tuple(from_command_line.given()),
            provider_options=self._options(models),
        )
        used = [generation.settings_for(each) for each in eval_sets]
        words = prompts.template_hash((each.system_prompt, each.prompt_template) for each in used)
        return replace(generation, prompt_template_hash=words)

    def sources(
        self,
        plan: Plan,
        prices: Mapping[str, Price | None],
        purse: Purse | None,
        answers: Answers | None,
        *,
        batch: bool,
    ) -> dict[str, Source]:
        """Where the answers of each model come from: first of all those that are kept, where they are to be used."""
        found: dict[str, Source] = {}
        for attempt in plan.attempts:
            name = attempt.model_name
            if name not in found:
                kind, _ = self._settings.provider(attempt.provider)
                if purse is not None and prices[name] is None and kind in pricing.VENDORS_HOSTS:
                    raise UserError(
                        f"--max-cost: the price of {name} is not known; "
                        f'set input and output in [providers.{attempt.provider}.prices."{attempt.model}"]'
                    )
                found[name] = self._source(plan, attempt.provider, prices[name], purse, answers, batch=batch)
        return found

    def _source(
        self,
        plan: Plan,
        provider_name: str,
        price: Price | None,
        purse: Purse | None,
        answers: Answers | None,
        *,
        batch: bool,
    ) -> Source:
        provider, generation = self._provider(provider_name), plan.generation
        assert generation is not None
        cases = {(eval_set.id, case.id): (eval_set, case) for eval_set, case in plan.cases()}

        def request(attempt: Attempt) -> Request:
            return request_for(attempt, *cases[attempt.eval_set_id, attempt.case_id], generation)

        limits = self._settings.limits(provider_name)
        pace = Pace(
            Limits(
                in_flight=provider.concurrency,
                requests_per_minute=limits.get("requests_per_minute"),
                tokens_per_minute=limits.get("tokens_per_minute"),
            )
        )

        def in_turn(ask: Callable[[Attempt], Completion], count: int = 1) -> Callable[[Attempt], Completion]:
            """Patiently, at its pace and within the limits, for so many answers at once."""
            asking = pace.paced(ask, lambda attempt: prompt_tokens(request(attempt)), count * generation.max_tokens)
            if purse is not None:
                asking = purse.guarding(asking, lambda attempt: most_cost(request(attempt), price, count))
            return patient(asking)

        def ask_together(group: Sequence[Attempt]) -> list[Completion]:
            assert isinstance(provider, ManyAtOnce)
            several: list[Completion] = []

            def ask(attempt: Attempt) -> Completion:
                several[:] = provider.generate_several(request(attempt), len(group))[: len(group)]
                return replace(several[0], usage=in_total(each.usage for each in several))

            in_turn(ask, len(group))(group[0])
            return [replace(each, leave_alone_s=None) for each in several]

        ask = in_turn(lambda attempt: provider.generate(request(attempt)))
        kind, table = self._settings.provider(provider_name)

        def key(attempt: Attempt) -> str:
            return key_of(kind, table, request(attempt), attempt.attempt)

        if answers is not None:
            ask = answers.keeping(ask, key)
        by_batch = None
        if isinstance(provider, Batching):
            by_batch = ByBatch(
                batches=provider.batches,
                request=request,
                poll_s=limits.get("batch_poll_secs", BATCH_POLL_SECS),
                hand_in=batch,
                most_cost=lambda attempt: most_cost(request(attempt), pricing.in_a_batch(price)),
                purse=purse,
                kept=lambda attempt: None if answers is None else answers.get(key(attempt)),
                keep=lambda attempt, answer: None if answers is None else answers.put(key(attempt), answer),
                announce=say,
            )
        elif batch:
            raise UserError(f"--batch: provider {provider_name} takes no batches; leave it out, or the model")
        # answers that are kept are those to one request each
        together = limits.get("samples_per_request", 1) if answers is None and isinstance(provider, ManyAtOnce) else 1
        return Source(
            ask=ask,
            concurrency=provider.concurrency,
            together=together,
            ask_together=ask_together,
            by_batch=by_batch,
        )

    def _provider(self, name: str) -> Provider:
        if name not in self._made:
            kind, table = self._settings.provider(name)
            self._made[name] = plugins.find("providers", kind)(table)
        return self._made[name]


def price_of(settings: config.Settings, provider: str, model: str) -> Price | None:
    """What forgetest.toml says that a model costs, or else the list, at the vendor's own address."""
    kind, table = settings.provider(provider)
    tables = table.get("prices", {})
    own = pricing.configured(tables) if isinstance(tables, Mapping) else {}
    address = table.get("base_url")
    as_listed = address is None or urlsplit(str(address)).hostname == pricing.VENDORS_HOSTS.get(kind)
    return pricing.price_of(kind, model, own, as_listed=as_listed)
