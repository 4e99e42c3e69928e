"""What every provider does, ours and a plugin's. A new one joins by its line in PROVIDERS."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from forgetest.errors import ProviderError, UserError
from forgetest.providers import Provider, embedded
from forgetest.sample import Request
from loopback import Server
from model_apis import APIS, MODEL, well_behaved


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A provider under test, and a model it has."""

    create: Callable[[], Provider]
    model: str


def over_http(name: str) -> Provider:
    """Through its real SDK, against a server on loopback that behaves well."""
    api = APIS[name]
    server = Server(well_behaved(api))
    try:
        provider = api.create(api.settings(server.url))
    except UserError:
        server.close()
        raise
    weakref.finalize(provider, server.close)
    return provider


PROVIDERS = {
    "embedded": Candidate(create=lambda: embedded.create({}), model=embedded.MODEL.id),
    "anthropic": Candidate(create=lambda: over_http("anthropic"), model=MODEL),
    "openai": Candidate(create=lambda: over_http("openai"), model=MODEL),
    "ollama": Candidate(create=lambda: over_http("ollama"), model=MODEL),
}


@pytest.fixture(scope="module", params=PROVIDERS)
def candidate(request: pytest.FixtureRequest) -> Candidate:
    return PROVIDERS[request.param]


@pytest.fixture(scope="module")
def provider(candidate: Candidate) -> Iterator[Provider]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("NO_PROXY", "no_proxy"):
            patch.setenv(name, "127.0.0.1")
        try:
            yield candidate.create()
        except UserError as error:
            pytest.skip(str(error))


@pytest.fixture
def ask(candidate: Candidate) -> Callable[..., Request]:
    def make(prompt: str = "Say hello.", **changes: object) -> Request:
        fields: dict[str, object] = {
            "model": candidate.model,
            "system": "Be brief.",
            "max_tokens": 8,
            "seed": 1,
        }
        return Request(prompt=prompt, **{**fields, **changes})  # type: ignore[arg-type]

    return make


def test_it_answers_with_text(provider: Provider, ask: Callable[..., Request]) -> None:
    assert provider.generate(ask()).text.strip()


def test_it_says_that_max_tokens_cut_the_answer(provider: Provider, ask: Callable[..., Request]) -> None:
    completion = provider.generate(ask("Tell me a long story.", max_tokens=4))
    assert completion.finish == "length"
    assert completion.usage.completion_tokens is None or completion.usage.completion_tokens <= 4


def test_it_says_that_an_answer_came_to_its_end(provider: Provider, ask: Callable[..., Request]) -> None:
    assert provider.generate(ask("What is the capital of France?", max_tokens=64)).finish == "stop"


def test_it_accounts_for_what_it_used(provider: Provider, ask: Callable[..., Request]) -> None:
    completion = provider.generate(ask())
    counts = (completion.usage.prompt_tokens, completion.usage.completion_tokens)
    assert all(count is None or count > 0 for count in counts)
    assert completion.usage.cost_usd is None or completion.usage.cost_usd >= 0
    assert completion.latency_ms is not None
    assert completion.latency_ms > 0


def test_an_answer_still_needs_its_code_extracted(provider: Provider, ask: Callable[..., Request]) -> None:
    assert not provider.generate(ask()).verbatim


def test_it_lists_its_models(provider: Provider, candidate: Candidate) -> None:
    listed = [model.id for model in provider.models()]
    assert candidate.model in listed
    assert len(set(listed)) == len(listed)


def test_it_is_asked_from_many_threads_at_once(provider: Provider, ask: Callable[..., Request]) -> None:
    assert provider.concurrency >= 1
    requests = [ask(f"Say {number}.") for number in range(provider.concurrency + 2)]
    with ThreadPoolExecutor(len(requests)) as threads:
        completions = list(threads.map(provider.generate, requests))
    assert all(completion.text.strip() for completion in completions)


def test_a_model_it_does_not_have_is_an_error_for_good(provider: Provider, ask: Callable[..., Request]) -> None:
    with pytest.raises(ProviderError, match="no-such-model") as caught:
        provider.generate(ask(model="no-such-model"))
    assert caught.value.final
