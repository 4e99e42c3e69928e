"""`forgetest doctor`."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass

import click

from forgetest import config, evalset, plugins
from forgetest.cli.options import sandbox_option
from forgetest.cli.output import echo
from forgetest.command_line import EXIT_GATE
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import ForgetestError
from forgetest.evalset import Case
from forgetest.sandboxes import Isolation, host
from forgetest.sandboxes.factory import open_sandbox
from forgetest.sandboxes.proof import prove
from forgetest.verdict import Limits
from forgetest.version import __version__


@dataclass(frozen=True, slots=True)
class _Check:
    """One line of output; where the check failed, it says what to do."""

    subject: str
    text: str
    passed: bool = True


@click.command("doctor", short_help="Show what is installed, and what is missing.")
@sandbox_option
def command(sandbox: str) -> int:
    """Show what is installed, what the sandbox really isolates, and what to do about anything that is missing.

    Exit code 0 if samples can be judged on this machine, else 1.

    \b
      forgetest doctor
      forgetest doctor --sandbox landlock
    """
    failed = False
    for check in _checks(sandbox):
        failed |= not check.passed
        echo(f"{'ok' if check.passed else '!!'}  {check.subject:<12} {check.text}")
    return EXIT_GATE if failed else 0


def _checks(sandbox: str) -> Iterator[_Check]:
    yield _Check("forgetest", f"{__version__}, Python {platform.python_version()}, {platform.platform()}")
    settings = config.Settings()
    try:
        settings = config.load()
        yield _Check("config", str(settings.file or f"none ({config.FILENAME} is optional)"))
    except ForgetestError as error:
        yield _Check("config", str(error), passed=False)
    yield _Check("cache", str(config.cache_folder()))
    yield _check_memory()
    yield _Check("eval sets", f"built in: {', '.join(sorted(evalset.built_in()))}")
    yield from _check_providers(settings)
    yield from _check_sandbox(sandbox)


def _check_memory() -> _Check:
    available, wanted = host.memory_bytes(), Limits().memory_bytes
    if available and available < wanted:
        return _Check(
            "memory",
            f"{available / (1 << 30):.1f} GiB, less than the {wanted >> 30} GiB that a step may take: a sample that "
            "takes more than there is cannot be judged here",
        )
    return _Check("memory", f"{available / (1 << 30):.1f} GiB for all sandboxes together")


def _check_providers(settings: config.Settings) -> Iterator[_Check]:
    for name in sorted({*settings.providers, *plugins.names("providers")}):
        if name in settings.unconfigured:
            yield _Check("provider", f"{name}: not configured")
            continue
        kind, table = settings.provider(name)
        try:
            models = plugins.find("providers", kind)(table).models()
            listed = ", ".join(model.id for model in models) or "lists no model; is it installed, and does it have one?"
            yield _Check("provider", f"{name}: {listed}")
        except ForgetestError as error:
            yield _Check("provider", f"{name}: {error}")  # not a failure: there are other ways to get samples


def _check_sandbox(kind: str) -> Iterator[_Check]:
    try:
        sandbox = open_sandbox(kind)
    except ForgetestError as error:
        yield _Check("sandbox", str(error), passed=False)
        return
    try:
        isolation = prove(sandbox, config.cache_folder(), again=True)
        yield _Check("sandbox", isolation.version)
        yield from _check_promises(isolation)
        step_runner = StepRunner(sandbox, config.cache_folder(), config.host_environment())
        for name in plugins.names("toolchains"):
            yield _check_toolchain(step_runner, name)
    except ForgetestError as error:
        advice = "; are user namespaces allowed? (sysctl kernel.unprivileged_userns_clone, or AppArmor's restriction)"
        yield _Check("sandbox", f"{error}{advice if kind == 'bubblewrap' else ''}", passed=False)
    finally:
        sandbox.close()


def _check_promises(isolation: Isolation) -> Iterator[_Check]:
    for promise, ways in isolation.breaches.items():
        if ways:
            claim = "not promised, and " if promise in isolation.not_promised else ""
            result = f"{claim}NOT held back ({', '.join(ways)})"
        else:
            mechanism = isolation.held_by.get(promise)
            result = f"held back by {mechanism}" if mechanism else "held back"
        yield _Check("", f"{promise}: {result}", passed=promise not in isolation.broken)


def _check_toolchain(step_runner: StepRunner, name: str) -> _Check:
    try:
        case = Case(id="doctor", name="doctor", prompt="-", language=name)
        return _Check("toolchain", f"{name}: {step_runner.prepare(plugins.find('toolchains', name), case).version}")
    except ForgetestError as error:
        return _Check("toolchain", f"{name}: {error}", passed=False)
