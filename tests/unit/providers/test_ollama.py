from __future__ import annotations

import pytest

from forgetest.errors import ProviderError
from forgetest.providers import Model, ollama
from forgetest.sample import Request
from forgetest.testing.loopback import Server, as_json
from model_apis import APIS, MODEL, needs_sdk, well_behaved

pytestmark = [needs_sdk("ollama"), pytest.mark.usefixtures("bare_environment")]

API = APIS["ollama"]
REQUEST = Request(model=MODEL, system="Be brief.", prompt="Say hello.")


def test_the_question_holds_everything_that_was_asked_for() -> None:
    options = {"num_ctx": 8192, "stop": "END", "think": False, "min_p": 0.1}
    request = Request(
        model=MODEL, system="Be kind.", prompt="Hi", temperature=0.8, max_tokens=5, seed=7, options=options
    )
    with Server(lambda _: API.answer("Hello.")) as server:
        ollama.create(API.settings(server.url)).generate(request)
    assert server.received[0].path == "/api/chat"
    assert (
        server.received[0].body.items()
        >= {
            "model": MODEL,
            "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}],
            "options": {
                "num_ctx": 8192,
                "stop": ["END"],
                "min_p": 0.1,
                "seed": 7,
                "temperature": 0.8,
                "num_predict": 5,
            },
            "think": False,
            "stream": False,
        }.items()
    )


def test_it_is_free() -> None:
    with Server(well_behaved(API)) as server:
        assert ollama.create(API.settings(server.url)).generate(REQUEST).usage.cost_usd == 0.0


def test_models_are_listed_with_their_size() -> None:
    with Server(well_behaved(API)) as server:
        assert ollama.create(API.settings(server.url)).models() == [Model(id=MODEL, description="8.0B Q4_0")]


def test_an_answer_that_is_not_done_is_an_error() -> None:
    half = {"model": MODEL, "message": {"role": "assistant", "content": "fn"}, "done": False}
    with Server(lambda _: as_json(half)) as server, pytest.raises(ProviderError, match="ended early") as caught:
        ollama.create(API.settings(server.url)).generate(REQUEST)
    assert not caught.value.final


def test_no_key_is_needed() -> None:
    with Server(well_behaved(API)) as server:
        provider = ollama.create({"base_url": server.url})
        assert provider.generate(REQUEST).text == "Hello there."
