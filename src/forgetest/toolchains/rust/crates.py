"""A case's dependencies: fetched with the network, built without it, once for each distinct set."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from forgetest.errors import UserError
from forgetest.evalset import Dependency
from forgetest.files.schema import Text
from forgetest.toolchains.rust.tools import Tools, preparation_step
from forgetest.verdict import Execution, Limits, Mount, Step

_END = r"(?![\s\S])"  # `$` would also match before a line break at the end
_FEATURE = r"[A-Za-z0-9_][A-Za-z0-9_+.-]*"

CRATE_NAME = Text(
    pattern=rf"^[A-Za-z0-9_-]+{_END}",
    otherwise="is no crate's name: write it as on crates.io, in letters, digits, - and _",
)
FEATURE_NAME = Text(
    pattern=rf"^(?:(?:dep:)?{_FEATURE}|[A-Za-z0-9_-]+\??/{_FEATURE}){_END}",
    otherwise="is no feature's name: write it as in the crate's manifest, in letters, digits, - _ + and . "
    "(also dep:crate, crate/feature, crate?/feature)",
)

_BUILT_IN = "/w/"
_SEEN_IN = "/crates/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crates:
    """Built dependencies, ready to be linked."""

    lock: str = ""
    """SHA-256 of the lock file, which fixes all versions."""
    libraries: tuple[tuple[str, str], ...] = ()
    """(name in code, path) of each direct dependency."""
    search: tuple[str, ...] = ()
    kept: str | None = None

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """The mount that lets a compiler call see them."""
        return (Mount(source=self.kept, target=_SEEN_IN.rstrip("/")),) if self.kept else ()

    def arguments(self, secret: str) -> tuple[str, ...]:
        """Return the arguments for each crate: under its own name for the sample, under a secret one for the tests."""
        externs = [f"--extern={name}={path}" for name, path in self.libraries]
        externs += [f"--extern={secret}_{name}={path}" for name, path in self.libraries]
        return (*externs, *(f"-L{path}" for path in self.search))


def code_names(dependencies: Sequence[Dependency]) -> list[str]:
    """Return the crates' names as code spells them."""
    return [dependency.name.replace("-", "_") for dependency in dependencies]


def prepare(dependencies: Sequence[Dependency], tools: Tools) -> Generator[Step, Execution, Crates]:
    """Fetch and build the dependencies."""
    if not dependencies:
        return Crates()
    _check_names(dependencies)
    manifest = _manifest(dependencies)
    key = hashlib.sha256(f"{manifest}{tools.version}".encode()).hexdigest()[:16]
    wanted = ", ".join(f"{dependency.name} {dependency.version}" for dependency in dependencies)
    sources = f"crate-sources-{key}"
    fetched = yield Step(
        name=f"fetch {wanted}",
        argv=("cargo", "vendor", "--quiet", "--versioned-dirs", "vendor"),
        files={"Cargo.toml": manifest.encode(), "src/lib.rs": b""},
        outputs=("Cargo.lock",),
        limits=Limits(wall_s=900),
        on_host=True,
        keep=sources,
    )
    if not fetched.succeeded:
        raise UserError(f"cannot fetch {wanted}: {_last_error_line(fetched)} (is the crate registry reachable?)")
    lock = fetched.outputs["Cargo.lock"]
    config = '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "/sources/vendor"\n'
    name = f"crates-{hashlib.sha256(key.encode() + lock).hexdigest()[:16]}"
    built = yield preparation_step(
        tools,
        name=f"build {wanted}",
        argv=("cargo", "build", "--offline", "--frozen", "--lib", "--message-format=json"),
        files={
            "Cargo.toml": manifest.encode(),
            "Cargo.lock": lock,
            "src/lib.rs": b"",
            "home/config.toml": config.encode(),
        },
        mounts=(Mount(source=f"kept:{sources}", target="/sources"),),
        keep=name,
    )
    if not built.succeeded:
        raise UserError(f"cannot build {wanted}: {_last_error_line(built)}")
    libraries, search = _artifacts(built.stdout, set(code_names(dependencies)))
    return Crates(
        lock=hashlib.sha256(lock).hexdigest(),
        libraries=libraries,
        search=(f"dependency={_SEEN_IN}target/debug/deps", *search),
        kept=f"kept:{name}",
    )


def _check_names(dependencies: Sequence[Dependency]) -> None:
    """Refuse names that could say something else to cargo, which runs on the host; a case need not be from a file."""
    for dependency in dependencies:
        errors = list(CRATE_NAME.errors(dependency.name, ("name",)))
        for feature in dependency.features:
            errors += FEATURE_NAME.errors(feature, ("features",))
        if errors:
            raise UserError(f"dependency {dependency.name!r}: {errors[0].key[0]}: {errors[0].message}")


def _manifest(dependencies: Sequence[Dependency]) -> str:
    lines = ['[package]\nname = "dependencies"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]']
    for dependency in sorted(dependencies, key=lambda dependency: dependency.name):
        features = ", ".join(_toml_string(feature) for feature in dependency.features)
        lines.append(f"{dependency.name} = {{ version = {_toml_string(dependency.version)}, features = [{features}] }}")
    lines.append("[profile.dev]\ndebug = false\nincremental = false\n")
    return "\n".join(lines)


def _toml_string(text: str) -> str:
    return msgspec.json.encode(text).decode()  # a JSON string is a TOML basic string


def _artifacts(stdout: bytes, wanted: set[str]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    libraries, search = {}, []
    for line in stdout.splitlines():
        message: dict[str, Any] = msgspec.json.decode(line)
        if message.get("reason") == "build-script-executed":
            search += [path.replace(_BUILT_IN, _SEEN_IN, 1) for path in message["linked_paths"]]
        if message.get("reason") != "compiler-artifact" or "custom-build" in message["target"]["kind"]:
            continue
        name = message["target"]["name"].replace("-", "_")
        built = [file for file in message["filenames"] if file.endswith((".rlib", ".so"))]
        if name in wanted and built:
            libraries[name] = built[0].replace(_BUILT_IN, _SEEN_IN, 1)
    return tuple(sorted(libraries.items())), tuple(search)


def _last_error_line(execution: Execution) -> str:
    lines = [line for line in execution.stderr.decode(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("error")]
    return (errors or lines or ["no reason given"])[0].strip()
