"""Locates the Rust tools of this machine, and what a sandbox must see of the host to run them."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
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

OLDEST = (1, 85)
"""The first release with edition 2024, unsafe attributes and checked cfg."""

_INSTALL = "`rustup toolchain install stable --profile minimal --component clippy`, or run scripts/setup"

_OPEN_UP = f"let its owner open it (`chmod -R a+rX FOLDER`), or install one of your own: {_INSTALL}"

# One shell script answers everything, in lines `key=value`; ldd lists the libraries that each tool loads.
_SCRIPT = r"""
say() { printf '%s=%s\n' "$1" "$2"; }
found() { command -v "$1" >/dev/null 2>&1 || { say missing "$1"; exit 0; }; }
# a rustc that is there, but that this user may not run
command -v rustc >/dev/null 2>&1 || printf '%s\n' "$PATH" | tr ':' '\n' | while IFS= read -r folder; do
    case $(LC_ALL=C ls -d "$folder/rustc" 2>&1) in "$folder/rustc" | *'Permission denied'*) say closed "$folder" ;; esac
done
found rustc
sysroot=$(rustc --print sysroot) || exit 1
say sysroot "$sysroot"
versions=$("$sysroot/bin/rustc" -vV) || exit 1
say release "$(printf '%s\n' "$versions" | sed -n 's/^release: //p')"
host=$(printf '%s\n' "$versions" | sed -n 's/^host: //p')
say host "$host"
say version "$(printf '%s\n' "$versions" | sed -n 1p)"
find "$sysroot/bin/rustc" "$sysroot/bin/clippy-driver" "$sysroot/lib" ! -readable 2>/dev/null | sed 's/^/closed=/;q'
found "$sysroot/bin/clippy-driver"
say version "$("$sysroot/bin/clippy-driver" --version)"
found cc
linker=$sysroot/lib/rustlib/$host/bin/rust-lld
[ -x "$linker" ] || linker=$(readlink -f "$(command -v ld.lld || command -v ld)")
say linker "$linker"
libraries=$(
    for tool in "$sysroot/bin/rustc" "$sysroot/bin/clippy-driver" "$linker"; do
        ldd "$tool" 2>/dev/null | sed -n 's/^[[:space:]]*/library=/p'
    done
    libc=$(ldd "$sysroot/bin/rustc" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
    for library in libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libutil.so.1 libgcc_s.so.1; do
        [ -e "${libc%/*}/$library" ] && say library "$library => ${libc%/*}/$library (0)"
    done
)
printf '%s\n' "$libraries"
# the files that would have to change for another answer; a rustc could also appear in another folder of PATH
{
    printf '%s\n' "$libraries" | grep -o '/[^ ]*'
    printf '%s\n' "$sysroot/bin/rustc" "$sysroot/bin/clippy-driver" "$linker" "$(command -v rustc)" "$(command -v cc)"
    printf '%s\n' "${RUSTUP_HOME:-$HOME/.rustup}/settings.toml"
    printf '%s\n' "$PATH" | tr ':' '\n'
} | sort -u | while IFS= read -r path; do
    [ ! -e "$path" ] || printf '%s\0' "$path"
done | xargs -0 stat -Lc 'stamp=%n %s %Y'
exit 0
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The compilers of this machine."""

    version: str
    sysroot: str
    host: str
    linker: str
    mounts: tuple[Mount, ...]
    """Everything that compiling a sample needs: compilers in `/tc/bin`, the standard library, shared libraries."""
    run_libraries: tuple[Mount, ...]
    """The shared libraries that a sample's object needs at run time, in `/lib`, and the loader in its place."""

    @property
    def linker_arguments(self) -> tuple[str, ...]:
        """The arguments for linking through `linker.rs`, which is built with the launcher and starts the linker."""
        single = ("-Clink-arg=-Wl,--threads=1",) if "lld" in self.linker.rsplit("/", 1)[-1] else ()
        return ("-Clinker=/rt/linker", "-Clinker-flavor=gcc", *single, "-Lnative=/lib")


LOCATE = Step(
    name="locate the Rust tools", argv=("/bin/sh", "-c", _SCRIPT), on_host=True, stamped=True, limits=Limits(wall_s=120)
)


def locate() -> Generator[Step, Execution, Tools]:
    """Locate the tools; the error for a missing or outdated one says what to install."""
    execution = yield LOCATE
    answers = _checked_answers(execution)
    sysroot, host, linker = answers["sysroot"][0], answers["host"][0], answers["linker"][0]
    sources = library_sources(answers["library"])
    own = {target: path for target, path in sources.items() if path.startswith(f"{sysroot}/")}
    collected = yield from collect_libraries(
        "rust", {target: path for target, path in sources.items() if target not in own}, own, answers["stamp"]
    )
    return Tools(
        version="; ".join(answers["version"]),
        sysroot=sysroot,
        host=host,
        linker=linker,
        run_libraries=library_mounts(f"{collected}/run", sources),
        mounts=(
            Mount(source=f"{sysroot}/bin/rustc", target="/tc/bin/rustc"),
            Mount(source=f"{sysroot}/bin/clippy-driver", target="/tc/bin/clippy-driver"),
            Mount(source=linker, target="/tc/bin/linker"),
            Mount(source=f"{sysroot}/lib/rustlib/{host}", target=f"/tc/lib/rustlib/{host}"),
            *library_mounts(f"{collected}/compile", sources),
            *(Mount(source=path, target=target) for target, path in own.items()),
        ),
    )


def _checked_answers(execution: Execution) -> Mapping[str, list[str]]:
    """Return the answers of LOCATE by key, or raise what is wrong with the tools."""
    if not execution.succeeded:
        stderr = execution.stderr.decode(errors="replace").strip()
        if re.search("Permission denied|cannot open shared object", stderr):
            raise UserError(f"rustc does not start: {stderr.splitlines()[-1]}; if it is another user's: {_OPEN_UP}")
        raise preparation_error("asking rustc about itself failed", execution)
    answers = read_answers(execution)
    if answers["closed"]:
        raise UserError(f"{answers['closed'][0]}: the Rust toolchain there may not be read by this user: {_OPEN_UP}")
    if answers["missing"] and answers["missing"][0].endswith("rustc"):
        raise UserError(f"no Rust compiler was found: {_INSTALL}")
    release = answers["release"][0]
    if tuple(int(part) for part in release.split(".")[:2]) < OLDEST:
        oldest = ".".join(str(part) for part in OLDEST)
        raise UserError(f"rustc {release} is too old, {oldest} or later is needed: {_INSTALL}")
    if answers["missing"]:
        tool = answers["missing"][0].rsplit("/", 1)[-1]
        cure = _INSTALL if tool == "clippy-driver" else "install a C compiler (Debian: apt-get install gcc)"
        raise UserError(f"{tool} was not found beside rustc {release}: {cure}")
    return answers


def preparation_step(
    tools: Tools,
    *,
    name: str,
    argv: tuple[str, ...],
    files: Mapping[str, bytes],
    mounts: tuple[Mount, ...] = (),
    keep: str,
) -> Step:
    """Return a step that builds trusted code: it sees the system's compilers, but no network and no home folder."""
    system = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
    return Step(
        name=name,
        argv=("/usr/bin/env", *argv),
        files=files,
        keep=keep,
        proc=True,
        mounts=(
            *(Mount(source=path, target=path, optional=True) for path in system),
            Mount(source=tools.sysroot, target="/toolchain"),
            *mounts,
        ),
        env={
            "PATH": "/toolchain/bin:/usr/bin:/bin",
            "LD_LIBRARY_PATH": "/toolchain/lib",
            "HOME": "/w/home",
            "CARGO_HOME": "/w/home",
            "TMPDIR": "/w",
        },
        # cargo starts one compiler per core, each with threads of its own
        limits=Limits(cpu_s=1200, wall_s=1800, memory_bytes=16 << 30, processes=4096, open_files=4096),
    )
