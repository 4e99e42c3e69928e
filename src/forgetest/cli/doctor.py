"""`forgetest doctor`."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass

import click

from forgetest import config, evalset, plugins
from forgetest.cli.options import sandbox_option
from forgetest.command_line import EXIT_GATE
from forgetest.engine.judging.step_runner import Workshop
from forgetest.errors import ForgetestError
from forgetest.evalset import Case
from forgetest.sandboxes import Sandbox
from forgetest.sandboxes.memory import cgroups
from forgetest.sandboxes.proof import cache
from forgetest.verdict import Limits
from forgetest.version import __version__


@dataclass(frozen=True, slots=True)
class _Line:
    """One thing looked at; where it is not well, what to do."""

    what: str
    found: str
    well: bool = True


@click.command("doctor", short_help="Show what is installed, and what is missing.")
@sandbox_option
def command(sandbox: str) -> int:
    """Show what is installed, what the sandbox really holds back, and what to do about what is missing.

    Exit code 0 if samples can be judged on this machine, else 1.

    \b
      forgetest doctor
      forgetest doctor --sandbox landlock
    """
    ill = False
    for line in _look(sandbox):
        ill |= not line.well
        click.echo(f"{'ok' if line.well else '!!'}  {line.what:<12} {line.found}")
    return EXIT_GATE if ill else 0


def _look(sandbox: str) -> Iterator[_Line]:
    yield _Line("forgetest", f"{__version__}, Python {platform.python_version()}, {platform.platform()}")
    settings = config.Settings()
    try:
        settings = config.load()
        yield _Line("config", str(settings.file or f"none ({config.FILENAME} is optional)"))
    except ForgetestError as error:
        yield _Line("config", str(error), well=False)
    yield _Line("cache", str(config.cache_folder()))
    yield _memory()
    yield _Line("eval sets", f"built in: {', '.join(sorted(evalset.built_in()))}")
    yield from _providers(settings)
    yield from _sandbox(sandbox)


def _providers(settings: config.Settings) -> Iterator[_Line]:
    for name in sorted({*settings.providers, *plugins.names("providers")}):
        if name in settings.unconfigured:
            yield _Line("provider", f"{name}: not configured")
            continue
        kind, table = settings.provider(name)
        try:
            models = plugins.find("providers", kind)(table).models()
            told = ", ".join(model.id for model in models) or "names no model; is it installed, and does it have one?"
            yield _Line("provider", f"{name}: {told}")
        except ForgetestError as error:
            yield _Line("provider", f"{name}: {error}")  # one of several ways to get samples: no reason to despair


def _memory() -> _Line:
    here, wanted = cgroups.memory_bytes(), Limits().memory_bytes
    if here and here < wanted:
        return _Line(
            "memory",
            f"{here / (1 << 30):.1f} GiB, less than the {wanted >> 30} GiB that a step may take: a sample that takes "
            "more than there is cannot be judged here",
        )
    return _Line("memory", f"{here / (1 << 30):.1f} GiB for all sandboxes together")


def _sandbox(kind: str) -> Iterator[_Line]:
    try:
        sandbox: Sandbox = plugins.find("sandboxes", kind)()
    except ForgetestError as error:
        yield _Line("sandbox", str(error), well=False)
        return
    try:
        isolation = cache.of(sandbox, config.cache_folder(), anew=True)
        yield _Line("sandbox", isolation.version)
        for promise, ways in isolation.breaches.items():
            claim = "not promised, and " if promise in isolation.not_promised else ""
            by = f" by {isolation.held_by[promise]}" if promise in isolation.held_by else ""
            told = f"{claim}NOT held back ({', '.join(ways)})" if ways else f"held back{by}"
            yield _Line("", f"{promise}: {told}", well=promise not in isolation.broken)
        workshop = Workshop(sandbox, config.cache_folder(), config.host_environment())
        for name in plugins.names("toolchains"):
            yield _toolchain(workshop, name)
    except ForgetestError as error:
        advice = "; are user namespaces allowed? (sysctl kernel.unprivileged_userns_clone, or AppArmor's restriction)"
        yield _Line("sandbox", f"{error}{advice if kind == 'bubblewrap' else ''}", well=False)
    finally:
        sandbox.close()


def _toolchain(workshop: Workshop, name: str) -> _Line:
    try:
        case = Case(id="doctor", name="doctor", prompt="-", language=name)
        return _Line("toolchain", f"{name}: {workshop.prepare(plugins.find('toolchains', name), case).version}")
    except ForgetestError as error:
        return _Line("toolchain", f"{name}: {error}", well=False)
