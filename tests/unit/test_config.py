from __future__ import annotations

import sys
from pathlib import Path

import pytest

from forgetest import config
from forgetest.config import Settings
from forgetest.errors import InvalidInput, UserError

OWN_FOLDER = Path(sys.executable).parent
"""Where ruff is, if it was installed together with forgetest; the folder of Python's toolchain."""


def loaded(folder: Path, text: str, **environment: str) -> Settings:
    (folder / "forgetest.toml").write_text(text)
    return config.load(folder, environment)


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    settings = config.load(tmp_path, {})

    assert settings == Settings(unconfigured=frozenset({"anthropic", "ollama", "openai"}))
    assert (settings.default_provider, settings.default_temperature, settings.parallelism) == ("embedded", 0.0, None)


def test_every_key_of_the_file_is_read(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        'default_provider = "acme"\ndefault_model = "m"\ndefault_temperature = 1\nparallelism = 4\n'
        "max_sample_size = 5000\n"
        '[providers.acme]\ntype = "openai"\nbase_url = "http://x"\nregion = "eu"\n',
    )

    assert settings.file == tmp_path / "forgetest.toml"
    assert (settings.default_provider, settings.default_model) == ("acme", "m")
    assert (settings.default_temperature, settings.parallelism) == (1.0, 4)
    assert settings.max_sample_size == 5000
    assert settings.provider("acme") == ("openai", {"type": "openai", "base_url": "http://x", "region": "eu"})


def test_the_nearest_file_in_the_folders_above_is_used(tmp_path: Path) -> None:
    (tmp_path / "forgetest.toml").write_text("parallelism = 1")
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert config.load(below, {}).parallelism == 1

    (tmp_path / "a" / "forgetest.toml").write_text("parallelism = 2")
    assert config.load(below, {}).parallelism == 2


def test_the_first_provider_is_the_default_if_none_is_named(tmp_path: Path) -> None:
    assert loaded(tmp_path, "[providers.zeta]\n[providers.alpha]\n").default_provider == "zeta"


def test_a_provider_without_a_table_is_of_the_type_of_its_name(tmp_path: Path) -> None:
    assert config.load(tmp_path, {}).provider("embedded") == ("embedded", {})


def test_references_to_environment_variables_are_resolved(tmp_path: Path) -> None:
    text = '[providers.acme]\napi_key = "${ACME_KEY}"\nbase_url = "http://${HOST}:${PORT}/"\n'

    _, table = loaded(tmp_path, text, ACME_KEY="k", HOST="h", PORT="1").provider("acme")

    assert table == {"api_key": "k", "base_url": "http://h:1/"}


def test_every_reference_to_an_unset_variable_is_reported_with_its_line(tmp_path: Path) -> None:
    text = '[providers.acme]\napi_key = "${ACME_KEY}"\n\n[providers.other]\nbase_url = "${OTHER}"\n'

    with pytest.raises(InvalidInput) as raised:
        loaded(tmp_path, text)

    first, second = str(raised.value).splitlines()
    assert first.endswith(
        "forgetest.toml:2: providers.acme.api_key: the environment has no ACME_KEY; set it, or leave the key out"
    )
    assert "forgetest.toml:5: providers.other.base_url" in second


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("paralellism = 2", 'paralellism: unknown key; did you mean "parallelism"?'),
        ("parallelism = 0", "parallelism"),
        ("max_sample_size = 0", "max_sample_size"),
        ('parallelism = "two"', "parallelism: must be a whole number"),
        ("default_temperature = 3", "default_temperature"),
        ("providers = 3", "providers"),
        ("[providers]\nacme = 3", "providers.acme"),
        ("[providers.acme]\napi_key = 3", "providers.acme.api_key: must be a string"),
        ("x = \ny = 1", "line 1"),
    ],
)
def test_a_mistake_is_reported_with_file_line_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        loaded(tmp_path, text)

    assert str(raised.value).startswith(str(tmp_path / "forgetest.toml"))
    assert message in str(raised.value)


def test_a_file_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "forgetest.toml").write_bytes(b"\xff\xfe")

    with pytest.raises(InvalidInput):
        config.load(tmp_path, {})


def test_our_own_variables_override_the_keys_of_every_provider_of_that_type(tmp_path: Path) -> None:
    text = '[providers.mine]\ntype = "openai"\napi_key = "old"\n[providers.anthropic]\n'

    settings = loaded(tmp_path, text, FORGETEST_OPENAI_KEY="o", FORGETEST_ANTHROPIC_KEY="a")

    assert settings.provider("mine")[1]["api_key"] == "o"
    assert settings.provider("anthropic")[1]["api_key"] == "a"
    assert "openai" not in settings.providers


def test_our_own_variables_work_without_a_file(tmp_path: Path) -> None:
    settings = config.load(tmp_path, {"FORGETEST_ANTHROPIC_KEY": "a"})

    assert settings.provider("anthropic") == ("anthropic", {"api_key": "a"})
    assert settings.default_provider == "embedded"


def test_tools_on_the_host_never_see_a_models_key() -> None:
    variables = {
        "PATH": "/bin", "HOME": "/h", "CARGO_HOME": "/c", "https_proxy": "p", "LC_ALL": "C", "RUSTUP_HOME": "/r",
        "ANTHROPIC_API_KEY": "k", "FORGETEST_OPENAI_KEY": "k", "AWS_SECRET_ACCESS_KEY": "k", "LD_PRELOAD": "x",
    }  # fmt: skip

    kept = config.host_environment(variables)

    assert set(kept) == {"PATH", "HOME", "CARGO_HOME", "https_proxy", "LC_ALL", "RUSTUP_HOME"}
    assert kept["PATH"] == f"/bin:{OWN_FOLDER}:/c/bin"


def test_rustups_folder_is_on_the_path_of_an_empty_environment() -> None:
    assert config.host_environment({}) == {"PATH": f"/usr/bin:/bin:{OWN_FOLDER}:/nonexistent/.cargo/bin"}
    assert config.host_environment({"HOME": "/h", "PATH": "/p"})["PATH"] == f"/p:{OWN_FOLDER}:/h/.cargo/bin"


def test_the_environment_decides_where_the_cache_is() -> None:
    assert config.cache_folder({"HOME": "/h"}) == Path("/h/.cache/forgetest")
    assert config.cache_folder({"HOME": "/h", "XDG_CACHE_HOME": "/x"}) == Path("/x/forgetest")
    assert config.cache_folder({"HOME": "/h", "XDG_CACHE_HOME": "/x", "FORGETEST_CACHE": "/f"}) == Path("/f")


def test_a_vendors_key_is_not_sent_to_a_server_at_another_address(tmp_path):
    text = '[providers.local]\ntype = "openai"\nbase_url = "http://localhost:8000/v1"\n\n[providers.openai]\n'
    (tmp_path / "forgetest.toml").write_text(text)
    settings = config.load(tmp_path, {"FORGETEST_OPENAI_KEY": "sk-1"})
    assert settings.providers["openai"]["api_key"] == "sk-1"
    assert "api_key" not in settings.providers["local"]


def test_providers_without_a_table_or_their_usual_variable_are_not_configured(tmp_path):
    (tmp_path / "forgetest.toml").write_text('[providers.local]\ntype = "ollama"\n')
    # another of its type is not the vendor's own
    assert config.load(tmp_path, {"OPENAI_API_KEY": "sk-1"}).unconfigured == {"anthropic", "ollama"}


def test_a_deleted_working_directory_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(UserError, match="the working directory is not there any more"):
        config.load(environment={})


@pytest.mark.parametrize(
    ("key", "variable", "default"),
    [
        ("cache_mb", "FORGETEST_CACHE_MB", config.DEFAULT_CACHE_MB),
        ("answers_mb", "FORGETEST_ANSWERS_MB", config.DEFAULT_ANSWERS_MB),
    ],
)
def test_the_environment_overrides_the_cache_size_of_the_file(
    key: str, variable: str, default: int, tmp_path: Path
) -> None:
    assert getattr(config.load(tmp_path, {}), key) == default
    (tmp_path / "forgetest.toml").write_text(f"{key} = 5\n")

    assert getattr(config.load(tmp_path, {}), key) == 5
    assert getattr(config.load(tmp_path, {variable: "0"}), key) == 0
    with pytest.raises(UserError, match="not a whole number of megabytes"):
        config.load(tmp_path, {variable: "-1"})


def test_a_container_engine_gets_the_variables_it_needs_and_no_key():
    given = {
        "HOME": "/h",
        "TMPDIR": "/long",
        "DOCKER_HOST": "unix:///d",
        "XDG_RUNTIME_DIR": "/run/u",
        "OPENAI_API_KEY": "s",
    }
    found = config.engine_environment(given)
    assert found["DOCKER_HOST"] == "unix:///d"
    assert set(found) == {"HOME", "DOCKER_HOST", "XDG_RUNTIME_DIR", "PATH"}
