from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from forgetest.testing.loopback import Received, Reply, Server
from model_apis import APIS, Api, Serve, plain_http


@pytest.fixture
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the user's that an SDK would find."""
    for variable in list(os.environ):
        if variable.startswith(("ANTHROPIC_", "OPENAI_", "OLLAMA_")):
            monkeypatch.delenv(variable)
    for variable in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> Api:
    pytest.importorskip(request.param)
    return APIS[request.param]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    for name, value in plain_http().items():
        monkeypatch.setenv(name, value)
    with ExitStack() as stack:

        def start(answer: Reply | Callable[[Received], Reply]) -> Server:
            return stack.enter_context(Server(answer if callable(answer) else lambda received: answer))

        yield start
