"""forgetest.toml and the environment → Settings. The one reader of the environment."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forgetest import language, pricing
from forgetest.errors import InvalidInput, Problem, UserError
from forgetest.evalset import generation
from forgetest.evalset.generation import EMPTY, GenerationSettings
from forgetest.files.schema import NON_EMPTY_TEXT, Key, Number, SchemaError, Table, Text, key_text
from forgetest.files.toml_lines import KeyPath, key_lines, nearest_line
from forgetest.sample import DEFAULT_MAX_SAMPLE_SIZE

FILENAME = "forgetest.toml"

DEFAULT_CACHE_MB = 1000
DEFAULT_ANSWERS_MB = 1000

_MEGABYTES = {
    "cache_mb": ("FORGETEST_CACHE_MB", DEFAULT_CACHE_MB),
    "answers_mb": ("FORGETEST_ANSWERS_MB", DEFAULT_ANSWERS_MB),
}
_KEY_VARIABLES = {"anthropic": "FORGETEST_ANTHROPIC_KEY", "openai": "FORGETEST_OPENAI_KEY"}
_USUAL_VARIABLES = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "openai": ("OPENAI_API_KEY",),
    "ollama": ("OLLAMA_HOST", "OLLAMA_API_KEY"),
}
"""Variables that the vendors' SDKs read; with one of them set, a provider needs no table."""
_REFERENCE = re.compile(r"\$\{(\w+)\}")
_HOST_VARIABLES = re.compile(r"PATH|HOME|USER|LANG|LC_\w+|TMPDIR|SSL_CERT_\w+|(?i:https?_proxy|no_proxy|all_proxy)")
"""Variables that any tool on the host needs, to find itself or to reach a registry; never a model's key."""
_ENGINE_VARIABLES = re.compile(r"(DOCKER|CONTAINERS|STORAGE)_\w+|XDG_\w+|DBUS_SESSION_BUS_ADDRESS")
"""Further variables that container engines need."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorSettings:
    """The table `[executor]`."""

    type: str = "local"
    options: Mapping[str, object] = field(default_factory=dict)
    """Settings of that executor's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The user's configuration, with defaults."""

    file: Path | None = None
    providers: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Each provider's table: its `type` and the settings of that type."""
    default_provider: str = "embedded"
    default_model: str | None = None
    default_temperature: float = 0.0
    parallelism: int | None = None
    max_sample_size: int = DEFAULT_MAX_SAMPLE_SIZE
    """Longest answer that is judged, in bytes."""
    cache_mb: int = DEFAULT_CACHE_MB
    """Size limit of the verdict cache, in megabytes; 0 turns it off."""
    answers_mb: int = DEFAULT_ANSWERS_MB
    """Size limit of the cache of models' answers."""
    unconfigured: frozenset[str] = frozenset()
    """Providers without the key or address that they need; `list-models` does not ask them."""
    generation: GenerationSettings = EMPTY
    executor: ExecutorSettings = ExecutorSettings()

    def provider(self, name: str) -> tuple[str, Mapping[str, object]]:
        """Return the type of a provider, and its settings without those of the engine."""
        table = self.providers.get(name, {})
        return str(table.get("type", name)), {key: table[key] for key in table if key not in _OF_THE_ENGINE}

    def limits(self, name: str) -> Mapping[str, Any]:
        """Return the engine's settings for a provider, such as `requests_per_minute`, where they are set."""
        return {key: value for key, value in self.providers.get(name, {}).items() if key in _OF_THE_ENGINE}


def load(
    start: Path | None = None, environment: Mapping[str, str] | None = None, *, file: Path | None = None
) -> Settings:
    """Read a configuration file; by default the nearest forgetest.toml, from the working directory upward."""
    variables = os.environ if environment is None else environment
    if file is not None:
        return _read_settings(file, variables)
    folder = (start or _working_directory()).resolve()
    for candidate in (folder, *folder.parents):
        file = candidate / FILENAME
        if file.is_file():
            return _read_settings(file, variables)
    providers = _with_keys({}, variables)
    return Settings(
        providers=providers,
        cache_mb=_size_limit_mb("cache_mb", {}, variables),
        answers_mb=_size_limit_mb("answers_mb", {}, variables),
        unconfigured=_unconfigured(providers, variables),
    )


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UserError("the working directory is not there any more; go to one that is") from None


def host_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for trusted tools outside the sandbox, with what each language's tools need of it."""
    variables = os.environ if environment is None else environment
    languages = language.installed()
    wanted = [_HOST_VARIABLES, *(re.compile(each.host_variables) for each in languages if each.host_variables)]
    kept = {name: value for name, value in variables.items() if any(each.fullmatch(name) for each in wanted)}
    folders = [folder for each in languages for folder in each.host_folders(variables)]
    kept["PATH"] = ":".join([variables.get("PATH", "/usr/bin:/bin"), *folders])
    return kept


def engine_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a container engine; containers do not see it."""
    variables = os.environ if environment is None else environment
    own = {name: value for name, value in variables.items() if _ENGINE_VARIABLES.fullmatch(name)}
    found = {**host_environment(variables), **own}
    found.pop("TMPDIR", None)  # podman would keep its run-time state there, and rejects long paths for it
    return found


def user_environment(*, without: Collection[str] = (), environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the whole environment, for a program that acts with the user's own account."""
    variables = os.environ if environment is None else environment
    return {name: value for name, value in variables.items() if name not in without}


def cache_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return the folder of cached verdicts and built dependencies."""
    variables = os.environ if environment is None else environment
    if chosen := variables.get("FORGETEST_CACHE"):
        return Path(chosen)
    base = variables.get("XDG_CACHE_HOME") or f"{variables.get('HOME', '/nonexistent')}/.cache"
    return Path(base) / "forgetest"


def answers_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return the folder of cached answers of models."""
    variables = os.environ if environment is None else environment
    return Path(variables.get("FORGETEST_ANSWERS") or cache_folder(variables) / "answers")


def models_folder(cache: Path | None = None) -> Path:
    """Return the folder of downloaded models, in the cache folder unless another one is given."""
    return (cache or cache_folder()) / "models"


_EXECUTOR = Table(
    keys=(Key("type", NON_EMPTY_TEXT, "the executor's name"),),
    allows_unlisted=True,  # the rest is the executor's own affair
)
_FILE = Table(
    keys=(
        Key("providers", Table(keys=(), allows_unlisted=True), "a table for each provider"),
        Key("default_provider", NON_EMPTY_TEXT, "the provider that is asked where --models names none"),
        Key("default_model", NON_EMPTY_TEXT, "the model that is asked where --models names none"),
        Key("default_temperature", Number(least=0, most=2), "the temperature where --temperature is not given"),
        Key("parallelism", Number(whole=True, least=1), "how many samples are judged at once"),
        Key("max_sample_size", Number(whole=True, least=1), "the longest answer that is judged, in bytes"),
        Key("cache_mb", Number(whole=True, least=0), "what kept verdicts may take, in megabytes; 0 keeps none"),
        Key("answers_mb", Number(whole=True, least=0), "what kept answers may take, in megabytes; 0 keeps none"),
        Key("generation", generation.KEYS, "how models are asked"),
        Key("executor", _EXECUTOR, "where samples are judged"),
    )
)
_ENGINE_KEYS = (
    Key("requests_per_minute", Number(above=0), "how many requests a model gets a minute at most"),
    Key("tokens_per_minute", Number(above=0), "how many tokens, of prompts and answers together"),
    Key("samples_per_request", Number(whole=True, least=1), "how many samples of a case one request may ask for"),
    Key("batch_poll_secs", Number(above=0), "how often a batch is asked after"),
)
_OF_THE_ENGINE = frozenset(key.name for key in _ENGINE_KEYS)
_PROVIDER = Table(
    keys=(
        *_ENGINE_KEYS,
        Key("type", NON_EMPTY_TEXT, "which provider it is, where its name does not say so"),
        Key("api_key", Text(), "the key, best as a reference: ${VARIABLE}"),
        Key("base_url", NON_EMPTY_TEXT, "where it is asked"),
        Key("prices", pricing.TABLES, "a model's prices, before those of the built-in table"),
    ),
    allows_unlisted=True,  # the provider checks the rest
)


def _read_settings(file: Path, variables: Mapping[str, str]) -> Settings:
    try:
        text = file.read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput([Problem(file=str(file), line=None, key="", message=str(error))]) from error
    lines = key_lines(text)
    errors = list(_FILE.errors(content, ()))
    tables = content.get("providers", {})
    if isinstance(tables, Mapping):
        for name, table in tables.items():
            errors += _PROVIDER.errors(table, ("providers", name))
            errors += _unset(table, ("providers", name), variables)
    if errors:
        raise InvalidInput(
            [
                Problem(file=str(file), line=nearest_line(lines, about), key=key_text(key), message=message)
                for key, message, about in errors
            ]
        )
    providers = _with_keys({name: _with_variables(table, variables) for name, table in tables.items()}, variables)
    return Settings(
        file=file,
        providers=providers,
        unconfigured=_unconfigured(providers, variables),
        default_provider=content.get("default_provider", next(iter(tables), "embedded")),
        default_model=content.get("default_model"),
        default_temperature=float(content.get("default_temperature", 0.0)),
        parallelism=content.get("parallelism"),
        max_sample_size=content.get("max_sample_size", DEFAULT_MAX_SAMPLE_SIZE),
        cache_mb=_size_limit_mb("cache_mb", content, variables),
        answers_mb=_size_limit_mb("answers_mb", content, variables),
        generation=generation.read(content.get("generation", {})),
        executor=_executor(content.get("executor", {})),
    )


def _executor(table: Mapping[str, object]) -> ExecutorSettings:
    options = {key: value for key, value in table.items() if key != "type"}
    return ExecutorSettings(type=str(table.get("type", ExecutorSettings().type)), options=options)


def _size_limit_mb(key: str, content: Mapping[str, object], variables: Mapping[str, str]) -> int:
    """Return a size limit. The environment comes before the file."""
    variable, default = _MEGABYTES[key]
    given = variables.get(variable)
    if given is None:
        configured = content.get(key, default)
        assert isinstance(configured, int)
        return configured
    if not re.fullmatch(r"[0-9]{1,9}", given):
        raise UserError(f"{variable}={given}: not a whole number of megabytes; 0 keeps nothing")
    return int(given)


def _unset(table: object, at: KeyPath, variables: Mapping[str, str]) -> list[SchemaError]:
    """Return an error for each reference to a variable that is not set."""
    found = []
    for key, value in table.items() if isinstance(table, Mapping) else ():
        for variable in _REFERENCE.findall(value) if isinstance(value, str) else ():
            if variable not in variables:
                path = (*at, key)
                found.append(
                    SchemaError(path, f"the environment has no {variable}; set it, or leave the key out", path)
                )
    return found


def _with_variables(table: Mapping[str, object], variables: Mapping[str, str]) -> dict[str, object]:
    return {
        key: _REFERENCE.sub(lambda match: variables[match[1]], value) if isinstance(value, str) else value
        for key, value in table.items()
    }


def _with_keys(
    tables: Mapping[str, Mapping[str, object]], variables: Mapping[str, str]
) -> Mapping[str, Mapping[str, object]]:
    """Our own variables override the file, for all providers of that type, whatever their name.

    Not for one with a `base_url`: a vendor's key must not go to another server.
    """
    filled = {name: dict(table) for name, table in tables.items()}
    for kind, variable in _KEY_VARIABLES.items():
        if variable in variables:
            of_kind = [name for name, table in filled.items() if table.get("type", name) == kind]
            for name in [name for name in of_kind or [kind] if "base_url" not in filled.get(name, {})]:
                filled.setdefault(name, {})["api_key"] = variables[variable]
    return filled


def _unconfigured(providers: Mapping[str, Mapping[str, object]], variables: Mapping[str, str]) -> frozenset[str]:
    # a provider of that type under another name does not configure the vendor's own
    return frozenset(
        kind
        for kind, usual in _USUAL_VARIABLES.items()
        if kind not in providers and not any(variable in variables for variable in usual)
    )
