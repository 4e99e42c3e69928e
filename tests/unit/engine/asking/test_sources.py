"""Models of a run, and the sources of their answers, from the configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from forgetest import plugins
from forgetest.config import Settings
from forgetest.engine.asking.budget import Budget
from forgetest.engine.asking.response_cache import ResponseCache
from forgetest.engine.asking.sources import Models, SourceOptions
from forgetest.engine.plan import Plan, for_models
from forgetest.errors import ProviderError, UserError
from forgetest.evalset.generation import GenerationSettings
from forgetest.providers import Model
from forgetest.sample import Completion, Request, Usage, split_usage
from specimens import a_case, an_eval_set

SET = an_eval_set(a_case("one"), a_case("two"))


class FakeProvider:
    """Answers with the number of the request, and remembers what it was asked."""

    concurrency = 3

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.prepared = 0

    def models(self) -> list[Model]:
        return [Model(id="first"), Model(id="second")]

    def prepare(self, announce: Callable[[str], None]) -> None:
        self.prepared += 1
        announce("getting ready")

    def generate(self, request: Request) -> Completion:
        self.requests.append(request)
        return Completion(text=str(len(self.requests)), usage=Usage(cost_usd=0.5))


class SeveralAtOnce(FakeProvider):
    def generate_several(self, request: Request, count: int) -> list[Completion]:
        self.requests.append(request)
        return [Completion(text=str(number), usage=usage) for number, usage in enumerate(split_usage(Usage(), count))]


class WithBatches(FakeProvider):
    batches = "an API for batches"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    return install(monkeypatch, FakeProvider())


def install(monkeypatch: pytest.MonkeyPatch, provider: FakeProvider) -> FakeProvider:
    """Make it the only provider that is installed, as `fake`, `embedded` and `openai`."""

    def create(settings: Mapping[str, object]) -> FakeProvider:
        return provider

    monkeypatch.setattr(plugins, "find", lambda kind, name: create)
    monkeypatch.setattr(plugins, "names", lambda kind: ["embedded", "fake", "openai"])
    return provider


def configured(**table: object) -> Models:
    return Models(Settings(providers={"fake": table}, default_provider="fake"))


def a_plan(models: Models, names: list[str], samples: int = 1) -> Plan:
    resolved = models.resolve(names)
    generation = models.generation(None, GenerationSettings(), resolved, [SET])
    return for_models([SET], [SET], resolved, (1,), samples, generation)


@pytest.mark.parametrize(
    ("names", "resolved"),
    [
        ([], [("fake", "first")]),
        (["fake/small"], [("fake", "small")]),
        (["small"], [("fake", "small")]),
        (["fake/meta/small", "openai/small"], [("fake", "meta/small"), ("openai", "small")]),
        (["small", "fake/small"], [("fake", "small")]),
    ],
)
@pytest.mark.usefixtures("provider")
def test_a_model_is_named_with_its_provider_or_belongs_to_the_default_one(
    names: list[str], resolved: list[tuple[str, str]]
) -> None:
    assert configured().resolve(names) == resolved


@pytest.mark.usefixtures("provider")
def test_without_a_name_the_configured_default_model_is_asked() -> None:
    models = Models(Settings(default_provider="fake", default_model="large"))
    assert models.resolve([]) == [("fake", "large")]


@pytest.mark.parametrize("name", ["fake", "openai", "fake/"])
@pytest.mark.usefixtures("provider")
def test_the_name_of_a_provider_is_not_a_model(name: str) -> None:
    with pytest.raises(UserError, match="which model"):
        configured().resolve([name])


@pytest.mark.usefixtures("provider")
def test_a_model_that_the_embedded_provider_does_not_have_needs_its_provider() -> None:
    models = Models(Settings())
    assert models.resolve(["second"]) == [("embedded", "second")]
    with pytest.raises(UserError, match="has no such model; give provider/model, with one of these providers: embedd"):
        models.resolve(["gpt-5"])


def test_a_source_asks_its_provider_with_the_request_for_the_attempt(provider: FakeProvider) -> None:
    models = configured()
    plan = a_plan(models, ["fake/a", "fake/b"])
    sources = models.sources(plan, models.prices(plan))
    assert list(sources) == ["fake/a", "fake/b"]
    assert [sources[attempt.model_name].ask(attempt).text for attempt in plan.attempts] == ["1", "2", "3", "4"]
    assert [request.model for request in provider.requests] == ["a", "b", "a", "b"]
    assert sources["fake/a"].concurrency == 3
    assert sources["fake/a"].together == 1


def test_a_provider_gets_ready_before_it_is_asked(provider: FakeProvider) -> None:
    models, announced = configured(), []
    plan = a_plan(models, ["fake/a"])
    assert provider.prepared == 0
    models.sources(plan, models.prices(plan), SourceOptions(announce=announced.append))
    assert (provider.prepared, announced) == (1, ["getting ready"])


def test_each_attempt_has_a_cached_answer_of_its_own(provider: FakeProvider, tmp_path: Path) -> None:
    models = configured()
    plan = a_plan(models, ["fake/a"], samples=2)
    options = SourceOptions(cache=ResponseCache(tmp_path, 1_000_000))
    for _ in range(2):  # the second time from the cache
        source = models.sources(plan, models.prices(plan), options)["fake/a"]
        assert [source.ask(attempt).text for attempt in plan.attempts[:2]] == ["1", "2"]
    assert len(provider.requests) == 2


def test_a_failure_is_not_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class FailsOnce(FakeProvider):
        def generate(self, request: Request) -> Completion:
            completion = super().generate(request)
            if len(self.requests) == 1:
                raise ProviderError("no such model", final=True)
            return completion

    provider = install(monkeypatch, FailsOnce())
    models = configured()
    plan = a_plan(models, ["fake/a"])
    source = models.sources(plan, models.prices(plan), SourceOptions(cache=ResponseCache(tmp_path, 1_000_000)))
    with pytest.raises(ProviderError, match="no such model"):
        source["fake/a"].ask(plan.attempts[0])
    assert source["fake/a"].ask(plan.attempts[0]).text == "2"
    assert len(provider.requests) == 2


def test_an_answer_in_the_cache_is_not_asked_for_again(provider: FakeProvider, tmp_path: Path) -> None:
    models = configured()
    plan = a_plan(models, ["fake/a"])
    options = SourceOptions(cache=ResponseCache(tmp_path, 10**6))
    attempt = plan.attempts[0]
    first = models.sources(plan, models.prices(plan), options)["fake/a"].ask(attempt)
    again = models.sources(plan, models.prices(plan), options)["fake/a"].ask(attempt)
    assert again == replace(first, from_cache=True)
    assert len(provider.requests) == 1


@pytest.mark.usefixtures("provider")
def test_the_budget_holds_for_all_models_together() -> None:
    models, budget = configured(), Budget(1.0)
    plan = a_plan(models, ["fake/a", "fake/b"])
    sources = models.sources(plan, models.prices(plan), SourceOptions(budget=budget))
    for attempt in plan.attempts[:2]:
        sources[attempt.model_name].ask(attempt)
    assert budget.spent == 1.0


@pytest.mark.usefixtures("provider")
def test_a_budget_needs_the_price_of_a_vendors_model() -> None:
    models = Models(Settings(default_provider="openai"))
    plan = a_plan(models, ["openai/unheard-of"])
    with pytest.raises(UserError, match=r'set input and output in \[providers\.openai\.prices\."unheard-of"\]'):
        models.sources(plan, models.prices(plan), SourceOptions(budget=Budget(1.0)))


def test_several_samples_of_a_case_come_from_one_request_where_that_is_configured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    provider = install(monkeypatch, SeveralAtOnce())
    models = configured(samples_per_request=4)
    plan = a_plan(models, ["fake/a"], samples=4)
    source = models.sources(plan, models.prices(plan))["fake/a"]
    assert source.together == 4
    assert source.ask_together is not None
    assert [completion.text for completion in source.ask_together(plan.attempts[:4])] == ["0", "1", "2", "3"]
    assert len(provider.requests) == 1
    cached = models.sources(plan, models.prices(plan), SourceOptions(cache=ResponseCache(tmp_path, 10**6)))
    assert cached["fake/a"].together == 1


def test_batches_are_submitted_only_on_request_and_only_where_the_provider_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    models = configured()
    install(monkeypatch, FakeProvider())
    plan = a_plan(models, ["fake/a"])
    with pytest.raises(UserError, match="--batch: provider fake takes no batches"):
        models.sources(plan, models.prices(plan), SourceOptions(batch=True))

    install(monkeypatch, WithBatches())
    models = configured()
    for batch in (False, True):
        batches = models.sources(plan, models.prices(plan), SourceOptions(batch=batch))["fake/a"].batches
        assert batches is not None
        assert batches.submit is batch
