"""Contract suite for providers.

A plugin's tests are a few lines:

    class TestAcme(ProviderContract):
        model = "acme-1"

        @pytest.fixture
        def provider(self):
            return forgetest_acme.create({"api_key": "none"})

The fixture is used by every test. A provider that takes long to create can come from a fixture of the module, and that
of a service should ask a fake of the service on this machine: `forgetest.testing.loopback` has an HTTP server for it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from forgetest.errors import ProviderError
from forgetest.providers import Provider
from forgetest.sample import Request


class ProviderContract:
    """The behaviour that every provider has."""

    model: str
    """A model that the provider has. Its answers end by themselves within 64 tokens, and take more than 4."""

    @pytest.fixture
    def provider(self) -> Provider:
        """Return the provider; skip the suite where it cannot be tested."""
        raise NotImplementedError("a contract suite needs a fixture `provider`")

    def request(self, prompt: str = "Say hello.", **changes: Any) -> Request:
        """Return a request for a short answer."""
        fields: dict[str, Any] = {"model": self.model, "system": "Be brief.", "max_tokens": 8, "seed": 1}
        return Request(prompt=prompt, **{**fields, **changes})

    def test_a_request_is_answered_with_text(self, provider: Provider) -> None:
        assert provider.generate(self.request()).text.strip()

    def test_an_answer_that_max_tokens_cut_off_is_marked(self, provider: Provider) -> None:
        completion = provider.generate(self.request("Tell me a long story.", max_tokens=4))
        assert completion.finish == "length"
        assert completion.usage.completion_tokens is None or completion.usage.completion_tokens <= 4

    def test_a_complete_answer_is_marked(self, provider: Provider) -> None:
        assert provider.generate(self.request("What is the capital of France?", max_tokens=64)).finish == "stop"

    def test_tokens_cost_and_latency_are_reported_where_they_are_known(self, provider: Provider) -> None:
        completion = provider.generate(self.request())
        counts = (completion.usage.prompt_tokens, completion.usage.completion_tokens)
        assert all(count is None or count > 0 for count in counts)
        assert completion.usage.cost_usd is None or completion.usage.cost_usd >= 0
        assert completion.latency_ms is not None
        assert completion.latency_ms > 0

    def test_an_answer_is_raw_so_that_its_code_is_extracted(self, provider: Provider) -> None:
        assert not provider.generate(self.request()).verbatim

    def test_the_models_are_listed_once_each(self, provider: Provider) -> None:
        listed = [model.id for model in provider.models()]
        assert self.model in listed
        assert len(set(listed)) == len(listed)

    def test_many_threads_may_ask_at_the_same_time(self, provider: Provider) -> None:
        assert provider.concurrency >= 1
        requests = [self.request(f"Say {number}.") for number in range(provider.concurrency + 2)]
        with ThreadPoolExecutor(len(requests)) as threads:
            completions = list(threads.map(provider.generate, requests))
        assert all(completion.text.strip() for completion in completions)

    def test_a_model_that_does_not_exist_is_a_final_error_that_names_it(self, provider: Provider) -> None:
        with pytest.raises(ProviderError, match="no-such-model") as caught:
            provider.generate(self.request(model="no-such-model"))
        assert caught.value.final
