"""Locates Python and ruff on this machine, and what a sandbox must see of the host to run them."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass

from forgetest.errors import UserError
from forgetest.evalset import Case
from forgetest.toolchains.host_tools import (
    collect_libraries,
    library_mounts,
    library_sources,
    preparation_error,
    read_answers,
)
from forgetest.toolchains.python import packages
from forgetest.toolchains.python.language import LANGUAGE
from forgetest.toolchains.python.packages import Packages
from forgetest.verdict import Execution, Limits, Mount, Step

OLDEST = (3, 11)
TIME_ZONES = "/usr/share/zoneinfo"
"""Where `zoneinfo` looks for them."""
ENVIRONMENT = {"LD_LIBRARY_PATH": "/lib", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "HOME": "/tmp", "TZ": "UTC"}
_FOR_PACKAGES = {"PYTHONPATH": packages.FOLDER, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""A process with threads cannot be forked safely, and each thread takes address space."""

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
python=python3
if [ -n "$2" ]; then
    python=
    # a shim on the PATH need not work: each candidate is asked
    for each in "$(command -v "python$2")" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$2"*/bin/"python$2" \
        "${XDG_DATA_HOME:-$HOME/.local/share}"/uv/python/cpython-"$2"*/bin/"python$2" "$(command -v python3)"; do
        [ -n "$each" ] && [ "$("$each" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = "$2" ] &&
            { python=$each; break; }
    done
    [ -n "$python" ] || { echo "missing=python$2"; exit 0; }
fi
command -v "$python" >/dev/null 2>&1 || { echo missing=python3; exit 0; }
answers=$("$python" -c "$1") || exit 1
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
    printf '%s\n' "$ruff" "$executable" "$(command -v "$python")" "$(command -v ruff)"
    printf '%s\n' "$PATH" | tr ':' '\n'
} | sort -u | while IFS= read -r path; do
    [ ! -e "$path" ] || printf '%s\0' "$path"
done | xargs -0 stat -Lc 'stamp=%n %s %Y'
exit 0
"""


def locate_step(release: str = "") -> Step:
    """Return the step that asks for the tools; `release`: which Python, as in "3.12", by default any."""
    return Step(
        name="locate the Python tools",
        argv=("/bin/sh", "-c", _SCRIPT, "sh", _QUESTIONS, release),
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
    packages: Packages = packages.NONE
    """The packages of a case, beside the standard library."""

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a launch."""
        return {**ENVIRONMENT, **(_FOR_PACKAGES if self.packages.kept else {})}

    @property
    def interpreter(self) -> tuple[str, ...]:
        """The command that starts the interpreter, without the host's packages."""
        return ("/py/bin/python3", "-s", "-S", "-P", "-B")


def locate(case: Case) -> Generator[Step, Execution, Tools]:
    """Locate the tools and install the packages; the error for what is missing or outdated says what to install."""
    wanted = str(LANGUAGE.option(case.options, "python"))
    execution = yield locate_step(wanted)
    if not execution.succeeded:
        raise preparation_error("asking Python about itself failed", execution)
    answers = read_answers(execution)
    if answers["missing"] == ["python3"]:
        raise UserError("no Python was found: install Python 3.11 or later, and have python3 on the PATH")
    if wanted and answers["missing"] == [f"python{wanted}"]:
        raise UserError(
            f"case {case.id}: python: Python {wanted} was not found: have python{wanted} on the PATH, or install it "
            "with pyenv or uv"
        )
    release = re.fullmatch(r"CPython (\d+)\.(\d+)\.\S+", answers["version"][0])
    if release is None or (int(release[1]), int(release[2])) < OLDEST:
        raise UserError(f"python3 is {answers['version'][0]}: CPython {OLDEST[0]}.{OLDEST[1]} or later is needed")
    if answers["missing"]:
        raise UserError("ruff, which lints Python, was not found: `pip install ruff`, or have it on the PATH")
    executable, version = answers["executable"][0], "; ".join(answers["version"])
    installed = yield from packages.prepare(case.id, case.dependencies, executable, version)
    sources = library_sources([*answers["library_line"], *installed.library_lines])
    collected = yield from collect_libraries("python", sources, (), answers["stamp"])
    libraries = library_mounts(f"{collected}/compile", sources)
    return Tools(
        version=f"{version}; packages {installed.lock[:12]}" if installed.lock else version,
        release=(int(release[1]), int(release[2])),
        mounts=(
            Mount(source=executable, target="/py/bin/python3"),
            Mount(source=answers["library"][0], target=f"/py/{answers['libraryname'][0]}"),
            Mount(source=TIME_ZONES, target=TIME_ZONES, optional=True),
            *installed.mounts,
            *libraries,
        ),
        lint_mounts=(Mount(source=answers["ruff"][0], target="/py/ruff"), *libraries),
        packages=installed,
    )
