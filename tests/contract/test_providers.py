"""Every registered provider keeps the contract of providers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest

from forgetest.errors import UserError
from forgetest.providers import Provider, claude_cli, embedded
from forgetest.testing.loopback import Server
from forgetest.testing.providers import ProviderContract
from model_apis import APIS, MODEL, plain_http, well_behaved


class OverHttp(ProviderContract):
    """Through the real SDK, against a well-behaved server on this machine."""

    model = MODEL
    api: str

    @pytest.fixture
    def provider(self) -> Iterator[Provider]:
        api = APIS[self.api]
        with pytest.MonkeyPatch.context() as patch, Server(well_behaved(api)) as server:
            for name, value in {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", **plain_http()}.items():
                patch.setenv(name, value)
            try:
                yield api.create(api.settings(server.url))
            except UserError as error:
                pytest.skip(str(error))


class TestAnthropic(OverHttp):
    api = "anthropic"


class TestOpenAI(OverHttp):
    api = "openai"


class TestOllama(OverHttp):
    api = "ollama"


@pytest.fixture(scope="module")
def embedded_provider() -> Provider:
    try:
        return embedded.create({})
    except UserError as error:
        pytest.skip(str(error))


class TestEmbedded(ProviderContract):
    model = embedded.MODEL.id

    @pytest.fixture
    def provider(self, embedded_provider: Provider) -> Provider:
        return embedded_provider


CLAUDE_STAND_IN = """#!{python}
import json, os, sys
sys.stdin.read()
model = sys.argv[sys.argv.index("--model") + 1]
limit = int(os.environ["CLAUDE_CODE_MAX_OUTPUT_TOKENS"])
usage = dict(input_tokens=3, cache_read_input_tokens=10, cache_creation_input_tokens=0, output_tokens=5)
answer = dict(type="result", is_error=False, result="Hello there.", stop_reason="end_turn", usage=usage)
if model not in ("sonnet", "opus", "haiku"):
    answer |= dict(is_error=True, result=f"There's an issue with the selected model ({{model}}).")
elif limit < 5:
    answer |= dict(is_error=True, result=f"Claude's response exceeded the {{limit}} output token maximum.", usage=None)
print(json.dumps(answer | dict(total_cost_usd=0.01)))
sys.exit(answer["is_error"])
"""


class TestClaude(ProviderContract):
    """With a program in place of `claude` that prints what the real one was seen to print."""

    model = "haiku"

    @pytest.fixture
    def provider(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Provider:
        program = tmp_path / claude_cli.PROGRAM
        program.write_text(CLAUDE_STAND_IN.format(python=sys.executable))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        return claude_cli.create({"timeout_secs": 60})


SUITES = {
    "anthropic": TestAnthropic,
    "claude": TestClaude,
    "embedded": TestEmbedded,
    "ollama": TestOllama,
    "openai": TestOpenAI,
}


def test_every_provider_of_ours_has_a_suite() -> None:
    points = distribution("forgetest").entry_points.select(group="forgetest.providers")
    assert {point.name for point in points} == set(SUITES)
