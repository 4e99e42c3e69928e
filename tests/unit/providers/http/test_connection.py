"""The settings of the providers over HTTP, and where their keys come from and go."""

from __future__ import annotations

import subprocess
import sys
import traceback

import pytest

from forgetest.errors import UserError
from model_apis import APIS, KEY, MODEL, Api, Serve, a_request, failure

pytestmark = pytest.mark.usefixtures("bare_environment")


def test_the_cost_follows_from_the_configured_prices(api: Api, serve: Serve) -> None:
    server = serve(api.answer("Hello.", tokens=10))
    prices = {MODEL: {"input": 1_000_000, "output": 100_000}}
    completion = api.create(api.settings(server.url, prices=prices)).generate(a_request())
    assert completion.usage.cost_usd == pytest.approx(13.0)


def test_the_cost_of_a_server_of_ones_own_is_unknown(api: Api, serve: Serve) -> None:
    server = serve(api.answer("Hello."))
    usage = api.create(api.settings(server.url)).generate(a_request(model="gpt-5")).usage
    assert usage.cost_usd == (0.0 if api.name == "ollama" else None)


def test_a_misspelt_setting_is_named_with_a_suggestion(api: Api) -> None:
    with pytest.raises(UserError, match=rf'provider {api.name}: base_ulr: unknown key; did you mean "base_url"\?'):
        api.create({"base_ulr": "http://127.0.0.1"})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"base_url": "localhost"}, "base_url: must be a URL, beginning with http:// or https://"),
        ({"base_url": "http://localhost:800O/v1"}, "base_url: must be a URL, beginning with http:// or https://"),
        ({"base_url": "http://[::1/v1"}, "base_url: must be a URL, beginning with http:// or https://"),
        ({"timeout_secs": 0}, "timeout_secs: must be more than 0, not 0"),
        ({"concurrency": 0}, "concurrency: must be at least 1, not 0"),
        ({"options": {"top_pp": 1}}, 'options.top_pp: unknown key; did you mean "top_p"?'),
        ({"options": {"top_p": []}}, "options.top_p: must be a string, a number, true or false"),
        ({"prices": {"m": {"input": 1}}}, "prices.m.output: missing key"),
        ({"prices": {"m": {"input": 1, "output": -1}}}, "prices.m.output: must be at least 0, not -1"),
    ],
)
def test_a_wrong_setting_is_named_by_its_key(api: Api, settings: dict[str, object], message: str) -> None:
    with pytest.raises(UserError) as caught:
        api.create(settings)
    assert str(caught.value) == f"provider {api.name}: {message}"


def test_a_provider_may_have_another_name_in_the_configuration(api: Api) -> None:
    assert api.create({**api.settings("http://127.0.0.1:9"), "type": api.name, "concurrency": 3}).concurrency == 3


def test_options_of_a_request_override_those_of_the_settings(api: Api, serve: Serve) -> None:
    server = serve(api.answer("Hello."))
    provider = api.create(api.settings(server.url, options={"top_p": 0.5}))
    provider.generate(a_request())
    provider.generate(a_request(options={"top_p": 0.9}))
    bodies = [received.body for received in server.received]
    assert [body.get("options", body)["top_p"] for body in bodies] == [0.5, 0.9]


def test_an_unknown_option_is_refused(api: Api, serve: Serve) -> None:
    server = serve(api.answer("Hello."))
    error = failure(api.create(api.settings(server.url)), options={"top_a": 1})
    assert f'{api.name} has no option "top_a", only ' in str(error)
    assert error.final
    assert server.received == []


def test_a_missing_sdk_is_named_with_what_to_run(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, api.name, None)
    with pytest.raises(UserError, match=rf"uv sync --extra {api.name}.*pip install 'forgetest\[{api.name}\]'"):
        api.create({})


def test_importing_a_provider_does_not_import_its_sdk(api: Api) -> None:
    check = (
        f"import sys, forgetest.providers.{api.name}; sys.exit('{api.name}' in sys.modules or 'httpx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", check]).returncode == 0


@pytest.fixture(params=["anthropic", "openai"])
def keyed(request: pytest.FixtureRequest) -> Api:
    """A service that needs a key."""
    pytest.importorskip(request.param)
    return APIS[request.param]


def test_without_a_key_the_error_says_where_to_set_one(keyed: Api) -> None:
    variable = f"{keyed.name.upper()}_API_KEY"
    with pytest.raises(UserError, match=rf"no key; set api_key in \[providers.{keyed.name}\], or {variable}"):
        keyed.create({})


def test_without_a_configured_key_the_usual_variable_is_used(
    keyed: Api, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(keyed.error(400, f"bad key {KEY}"))
    monkeypatch.setenv(f"{keyed.name.upper()}_API_KEY", KEY)
    monkeypatch.setenv(f"{keyed.name.upper()}_BASE_URL", server.url + keyed.path)
    error = failure(keyed.create({}))
    assert KEY in str(server.received[0].headers)
    assert "bad key [key]" in str(error)


def test_an_invalid_key_from_the_environment_is_refused_without_being_quoted(
    keyed: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{keyed.name.upper()}_API_KEY", f"{KEY}\n")
    with pytest.raises(UserError, match="the key in the environment: holds a space") as caught:
        keyed.create({})
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_a_key_of_the_environment_is_not_sent_to_another_server(
    keyed: Api, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(keyed.answer("Hello."))
    monkeypatch.setenv(f"{keyed.name.upper()}_API_KEY", KEY)
    keyed.create({"base_url": server.url + keyed.path}).generate(a_request())
    assert KEY not in str(server.received)


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY} ", f"{KEY}\u00e9"])
def test_an_invalid_key_is_refused_without_being_quoted(api: Api, key: str) -> None:
    with pytest.raises(UserError, match="api_key: holds a space, a line break or the like") as caught:
        api.create({"api_key": key})
    assert KEY not in "".join(traceback.format_exception(caught.value))
