"""Locates Python and ruff on this machine, and what a sandbox must see of the host to run them."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass

from forgetest.errors import UserError
from forgetest.toolchains.host_tools import (
    collect_libraries,
    library_mounts,
    library_sources,
    preparation_error,
    read_answers,
)
from forgetest.verdict import Execution, Limits, Mount, Step

OLDEST = (3, 11)

_QUESTIONS = """
import glob, os, platform, sys, sysconfig
executable = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
library = os.path.realpath(os.path.dirname(os.__file__))
print("version=" + platform.python_implementation() + " " + platform.python_version())
print("executable=" + executable)
print("library=" + library)
print("libraryname=" + sys.platlibdir + "/" + os.path.basename(library))
for extension in sorted(glob.glob(os.path.join(library, "lib-dynload", "*.so"))):
    print("extension=" + extension)
"""

_SCRIPT = r"""
command -v python3 >/dev/null 2>&1 || { echo missing=python3; exit 0; }
answers=$(python3 -c "$1") || exit 1
printf '%s\n' "$answers"
command -v ruff >/dev/null 2>&1 || { echo missing=ruff; exit 0; }
ruff=$(readlink -f "$(command -v ruff)")
echo "ruff=$ruff"
echo "version=$("$ruff" --version)"
executable=$(printf '%s\n' "$answers" | sed -n 's/^executable=//p')
printf '%s\n' "$answers" | sed -n 's/^extension=//p' | xargs ldd "$executable" "$ruff" 2>/dev/null |
    sed -n 's/^[[:space:]]\{1,\}/library_line=/p' | sort -u
# the files that would have to change for another answer
{
    printf '%s\n' "$ruff" "$executable" "$(command -v python3)" "$(command -v ruff)"
    printf '%s\n' "$PATH" | tr ':' '\n'
} | sort -u | while IFS= read -r path; do
    [ ! -e "$path" ] || printf '%s\0' "$path"
done | xargs -0 stat -Lc 'stamp=%n %s %Y'
exit 0
"""

LOCATE = Step(
    name="locate the Python tools",
    argv=("/bin/sh", "-c", _SCRIPT, "sh", _QUESTIONS),
    on_host=True,
    stamped=True,
    limits=Limits(wall_s=120),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The interpreter and the linter of this machine."""

    version: str
    release: tuple[int, int]
    mounts: tuple[Mount, ...]
    """The interpreter in `/py/bin`, its library in `/py/lib`, shared libraries in `/lib`."""
    lint_mounts: tuple[Mount, ...]
    """The linter as `/py/ruff`, shared libraries in `/lib`."""

    @property
    def interpreter(self) -> tuple[str, ...]:
        """The command that starts the interpreter, without the host's packages."""
        return ("/py/bin/python3", "-s", "-S", "-P", "-B")


def locate() -> Generator[Step, Execution, Tools]:
    """Locate the tools; the error for a missing or outdated one says what to install."""
    execution = yield LOCATE
    if not execution.succeeded:
        raise preparation_error("asking Python about itself failed", execution)
    answers = read_answers(execution)
    if answers["missing"] == ["python3"]:
        raise UserError("no Python was found: install Python 3.11 or later, and have python3 on the PATH")
    release = re.fullmatch(r"CPython (\d+)\.(\d+)\.\S+", answers["version"][0])
    if release is None or (int(release[1]), int(release[2])) < OLDEST:
        raise UserError(f"python3 is {answers['version'][0]}: CPython {OLDEST[0]}.{OLDEST[1]} or later is needed")
    if answers["missing"]:
        raise UserError("ruff, which lints Python, was not found: `pip install ruff`, or have it on the PATH")
    sources = library_sources(answers["library_line"])
    collected = yield from collect_libraries("python", sources, (), answers["stamp"])
    libraries = library_mounts(f"{collected}/compile", sources)
    return Tools(
        version="; ".join(answers["version"]),
        release=(int(release[1]), int(release[2])),
        mounts=(
            Mount(source=answers["executable"][0], target="/py/bin/python3"),
            Mount(source=answers["library"][0], target=f"/py/{answers['libraryname'][0]}"),
            *libraries,
        ),
        lint_mounts=(Mount(source=answers["ruff"][0], target="/py/ruff"), *libraries),
    )
