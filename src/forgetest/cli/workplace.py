"""What several commands need: a proved sandbox, the toolchains, a judge; and where reports are written."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import click

from forgetest import config, plugins, renderers
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.sandbox import open_sandbox
from forgetest.engine.judging.step_runner import Workshop
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.errors import Problem, UserError
from forgetest.evalset import EvalSet, load
from forgetest.files import atomic
from forgetest.renderers import Accompanied, terminal
from forgetest.renderers.model_table import counted
from forgetest.report import Report
from forgetest.sandboxes import Isolation, Sandbox
from forgetest.sandboxes.proof import prove

_NO_SANDBOX = "none"


def chosen_sandbox(kind: str, *, unsafe: bool) -> str:
    """The kind that is used. No sandbox is nothing that one gets by a slip."""
    if unsafe:
        say(
            "warning: --unsafe-no-sandbox: samples run as ordinary processes, which can read, change and delete your "
            "files, read your keys, and use the network. The report is marked `sandbox: none`"
        )
        return _NO_SANDBOX
    if kind == _NO_SANDBOX:
        raise UserError("--sandbox none: samples would run with all your rights; if that is meant: --unsafe-no-sandbox")
    return kind


@contextlib.contextmanager
def proved_sandbox(kind: str) -> Iterator[tuple[Sandbox, Isolation]]:
    """The sandbox, after it has shown that it holds."""
    sandbox = open_sandbox(kind)
    try:
        isolation = prove(sandbox, config.cache_folder())
        if isolation.broken:
            raise UserError(
                f"the sandbox does not hold back: {', '.join(isolation.broken)}; nothing is run in it. "
                "See `forgetest doctor`"
            )
        yield sandbox, isolation
    finally:
        sandbox.close()


@contextlib.contextmanager
def judge_for(
    eval_sets: Sequence[EvalSet], *, sandbox: str, quiet: bool = False, cache_mb: int = 0, sharing: bool = True
) -> Iterator[tuple[Judge, dict[str, object]]]:
    """A judge that is ready for these sets, and what a report says of its tools."""
    with proved_sandbox(sandbox) as (proved, isolation), _kept_verdicts(cache_mb, quiet=quiet) as cache:
        workshop = Workshop(
            proved,
            config.cache_folder(),
            config.host_environment(),
            announce=lambda step: None if quiet else say(f"preparing: {step} …"),
        )
        toolchains = {name: plugins.find("toolchains", name) for name in sorted(languages_of(eval_sets))}
        judge = Judge(workshop, toolchains, isolation.level, cache, sharing=sharing)
        versions: dict[str, str] = {}
        prepared = set()
        check_cases(eval_sets)
        for eval_set in eval_sets:
            for case in eval_set.cases:
                if (case.language, case.dependencies) not in prepared:
                    prepared.add((case.language, case.dependencies))
                    versions[case.language] = judge.prepare(eval_set, case).version
        tools = {"toolchains": versions, "sandbox": isolation.level, "sandbox_version": isolation.version}
        gc.freeze()  # what is there by now lives as long as the run: no collection need look at it again and again
        try:
            yield judge, dict(tools)
        finally:
            gc.unfreeze()


@contextlib.contextmanager
def _kept_verdicts(cache_mb: int, *, quiet: bool) -> Iterator[VerdictCache | None]:
    """The user's cache of verdicts, of at most that many megabytes; none for 0."""
    if not cache_mb:
        yield None
        return
    with contextlib.closing(VerdictCache(config.cache_folder(), cache_mb * 1_000_000, announce=say)) as cache:
        yield cache
        if cache.hits and not quiet:
            say(f"{counted(cache.hits, 'verdict')} taken from the cache")


def check_cases(eval_sets: Sequence[EvalSet]) -> None:
    """Make sure that each case's tests and signatures are understood; all that are not are told at once."""
    problems = []
    for eval_set in eval_sets:
        for case in eval_set.cases:
            try:
                plugins.find("toolchains", case.language).prepare(case, ())
            except UserError as error:
                problems.append(f"{eval_set.path}: {error}")
    if problems:
        raise UserError("\n".join(problems))


def languages_of(eval_sets: Sequence[EvalSet]) -> set[str]:
    """The languages that the cases are in."""
    return {case.language for eval_set in eval_sets for case in eval_set.cases}


def load_sets(names: Sequence[str]) -> list[EvalSet]:
    """Read the eval sets given with `--eval-set`."""
    languages = plugins.names("toolchains")
    found = [eval_set for name in names for eval_set in load(name, languages, warn=_warn)]
    ids = [eval_set.id for eval_set in found]
    for eval_set_id in ids:
        if ids.count(eval_set_id) > 1:
            raise UserError(f"--eval-set: two sets have the id {eval_set_id}")
    return found


def _warn(problem: Problem) -> None:
    say(f"warning: {problem}")


def write_reports(report: Report, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write each format into the run's folder; a reader never sees half a file."""
    written = []
    for name in formats:
        renderer = renderers.find(name)
        if isinstance(renderer, Accompanied):
            for companion in renderer.companions(report):
                with _whole(folder / companion.path) as stream:
                    stream.write(companion.text)
        path = folder / renderer.FILENAME
        with _whole(path) as stream:
            renderer.write(report, stream)
        written.append(path)
    return written


@contextlib.contextmanager
def _whole(path: Path) -> Iterator[IO[str]]:
    """A file to be written, which takes its name when it is whole."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic.open_text(path) as stream:
            yield stream
    except OSError as error:
        advice = "nothing is lost: make room, and the same command writes it"
        raise UserError(f"{path}: {error.strerror}; {advice}") from error


def show(report: Report, paths: Sequence[Path]) -> None:
    """Print what came out, and where it was written, a line a file."""
    click.echo(terminal.summary(report))
    click.echo("\n".join(f"{'' if number else 'Report:':<7} {path}" for number, path in enumerate(paths)))


def write_plots(report: Report, folder: Path) -> list[Path]:
    """Draw each picture that the report has something for, as SVG."""
    from forgetest.renderers import plots

    written = []
    for name, draw in plots.PICTURES.items():
        picture = draw(report)
        if picture is not None:
            path = folder / "plots" / f"{name}.svg"
            with _whole(path) as stream:
                stream.write(plots.standalone(picture))
            written.append(path)
    return written


def slots(parallelism: int | None, settings: config.Settings) -> int:
    """How many samples are judged at once: as the command line says, or else forgetest.toml, or else one a core."""
    return parallelism or settings.parallelism or len(os.sched_getaffinity(0))


def say(message: str) -> None:
    """Progress and warnings go to standard error; a log that is full is no reason to end a run."""
    try:
        print(message, file=sys.stderr, flush=True)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
