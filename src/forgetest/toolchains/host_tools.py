"""Locating a language's tools on the host, and what a sandbox must see of the host to run them.

A toolchain asks one shell script about its tools. The script answers in lines `key=value`; a line `stamp=PATH SIZE
SECONDS` (of `stat -Lc 'stamp=%n %s %Y'`) names a file that would have to change for another answer.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import shlex
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence

from forgetest.errors import MachineryError
from forgetest.verdict import Execution, Limits, Mount, Step

_AT_RUN_TIME = re.compile(r"/lib/lib(c|m|dl|rt|pthread|util|gcc_s)\.so\.|.*/ld-")
"""Libraries that a compiled sample needs when it runs, and no more."""


def read_answers(execution: Execution) -> Mapping[str, list[str]]:
    """Return the values that a locating script printed, by key."""
    answers: Mapping[str, list[str]] = defaultdict(list)
    for line in execution.stdout.decode().splitlines():
        key, _, value = line.partition("=")
        answers[key].append(value)
    return answers


def library_sources(lines: Sequence[str]) -> dict[str, str]:
    """Return, from lines of ldd, the libraries' paths by their targets in a sandbox.

    A library is in `/lib` under its own name and the name that linkers look for; the loader keeps its place.
    """
    targets: dict[str, str] = {}
    for line in lines:
        if named := re.match(r"(\S+) => (/\S+) ", line):
            name, path = named[1], posixpath.normpath(named[2])
            targets.setdefault(f"/lib/{name}", path)
            if plain := re.match(r"(lib(?:c|m|dl|rt|pthread|util|gcc_s)\.so)\.\d+$", name):
                targets.setdefault(f"/lib/{plain[1]}", path)
        elif loader := re.match(r"(/\S*/ld-\S+) ", line):
            targets.setdefault(loader[1], loader[1])
    return dict(sorted(targets.items()))


def collect_libraries(
    language: str, sources: Mapping[str, str], placeholders: Iterable[str], stamps: Sequence[str]
) -> Generator[Step, Execution, str]:
    """Copy libraries into two folders, `compile` and `run`, and return the name under which both are kept.

    One mount then serves for all of them: each mount takes a tenth of a millisecond, twice a sample. `placeholders`
    are targets of libraries too big to copy: an empty file stands for each, to mount the library on.
    """
    commands = ["set -e; umask 022; chmod 755 .; mkdir compile run"]
    commands += [f": >compile/{shlex.quote(posixpath.basename(target))}" for target in placeholders]
    for target, path in sources.items():
        folders = ("compile", "run") if _AT_RUN_TIME.match(target) else ("compile",)
        name = shlex.quote(posixpath.basename(target))
        commands += [f"cp -L {shlex.quote(path)} {folder}/{name}" for folder in folders]
    script = "\n".join(commands)
    relevant = [line for line in stamps if posixpath.normpath(line.rsplit(" ", 2)[0]) in sources.values()]
    key = hashlib.sha256("\n".join([script, *relevant]).encode()).hexdigest()[:16]
    execution = yield Step(
        name="collect the libraries",
        argv=("/bin/sh", "-c", script),
        on_host=True,
        keep=f"{language}-libraries-{key}",
        limits=Limits(wall_s=120),
    )
    if not execution.succeeded:
        raise preparation_error("the libraries that the tools load could not be copied", execution)
    return f"kept:{language}-libraries-{key}"


def library_mounts(folder: str, targets: Iterable[str]) -> tuple[Mount, ...]:
    """Return the mounts of a folder of libraries as `/lib`, and of the loader in it where programs look for it."""
    elsewhere = [target for target in targets if posixpath.dirname(target) != "/lib"]
    loaders = (Mount(source=f"{folder}/{posixpath.basename(target)}", target=target) for target in elsewhere)
    return (Mount(source=folder, target="/lib"), *loaders)


def preparation_error(what: str, execution: Execution) -> MachineryError:
    """Return the error for a step of preparation that should have worked and did not."""
    stderr = execution.stderr.decode(errors="replace").strip()
    return MachineryError(f"{what} ({execution.ended}, {execution.exit_code}): {stderr}")
