"""A case's dependencies: wheels, resolved and installed once for each distinct set; judging is offline."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from forgetest.errors import UserError
from forgetest.evalset import Dependency
from forgetest.toolchains.host_tools import read_answers
from forgetest.toolchains.python.package_names import EXTRA_NAME, PACKAGE_NAME, VERSION
from forgetest.verdict import Execution, Limits, Mount, Step

FOLDER = "/packages"

_INSTALL = r"""
python=$1
shift
set -- --quiet --target packages --only-binary :all: "$@"
if "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m pip --disable-pip-version-check --no-input install --no-warn-script-location "$@" >&2 || exit 1
elif command -v uv >/dev/null 2>&1; then
    uv pip install --no-progress --link-mode copy --compile-bytecode --python "$python" "$@" >&2 || exit 1
else
    echo "neither pip nor uv was found" >&2
    exit 1
fi
chmod -R a+rX .
cd packages
for info in *.dist-info; do echo "package=${info%.dist-info}"; done
for entry in *; do
    case $entry in
        *.dist-info | bin | __pycache__ | *.libs) ;;
        *) echo "module=${entry%%.*}" ;;
    esac
done
find . -name '*.so*' -exec ldd {} + 2>/dev/null | grep -v "=> $PWD/" |
    sed -n 's/^[[:space:]]\{1,\}/library_line=/p' | sort -u
exit 0
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packages:
    """Installed packages."""

    versions: tuple[str, ...] = ()
    """Names with versions, as in `numpy-2.1.0`."""
    modules: tuple[str, ...] = ()
    """Modules that can be imported from them."""
    library_lines: tuple[str, ...] = ()
    """Shared libraries that they need, as ldd prints them."""
    kept: str | None = None

    @property
    def lock(self) -> str:
        """SHA-256 of the versions; empty if there are no packages."""
        return hashlib.sha256("\n".join(self.versions).encode()).hexdigest() if self.versions else ""

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """The mount that lets a sandbox see them."""
        return (Mount(source=f"{self.kept}/packages", target=FOLDER),) if self.kept else ()


NONE = Packages()


def prepare(
    case_id: str, dependencies: Sequence[Dependency], executable: str, version: str
) -> Generator[Step, Execution, Packages]:
    """Resolve and install the dependencies for this interpreter, from the index that pip or uv is configured for."""
    if not dependencies:
        return NONE
    wanted = sorted(_requirement(case_id, dependency) for dependency in dependencies)
    key = hashlib.sha256("\n".join([*wanted, executable, version, _INSTALL]).encode()).hexdigest()[:16]
    kept = f"python-packages-{key}"
    installed = yield Step(
        name=f"install {', '.join(wanted)}",
        argv=("/bin/sh", "-c", _INSTALL, "sh", executable, *wanted),
        limits=Limits(wall_s=900),
        on_host=True,
        keep=kept,
    )
    if not installed.succeeded:
        lines = installed.stderr.decode(errors="replace").strip().splitlines()
        errors = [line for line in lines if "error" in line.lower()] or lines or ["no reason given"]
        raise UserError(
            f"case {case_id}: dependencies: cannot install {', '.join(wanted)} as wheels: {errors[-1].strip()[:300]} "
            "(only wheels are used; is the package index reachable?)"
        )
    answers = read_answers(installed)
    return Packages(
        versions=tuple(sorted(answers["package"])),
        modules=tuple(sorted(set(answers["module"]))),
        library_lines=tuple(answers["library_line"]),
        kept=f"kept:{kept}",
    )


def _requirement(case_id: str, dependency: Dependency) -> str:
    """Return a dependency as pip reads it; refuse whatever could say something else to pip, which runs on the host."""
    errors = list(PACKAGE_NAME.errors(dependency.name, ("name",)))
    for extra in dependency.features:
        errors += EXTRA_NAME.errors(extra, ("features",))
    version = dependency.version.strip()
    errors += VERSION.errors(version, ("version",))
    if errors:
        raise UserError(f"case {case_id}: dependency {dependency.name!r}: {errors[0].message}")
    extras = f"[{','.join(dependency.features)}]" if dependency.features else ""
    is_exact = version[:1] not in "=<>!~"
    return f"{dependency.name}{extras}{'' if version == '*' else f'=={version}' if is_exact else version}"
