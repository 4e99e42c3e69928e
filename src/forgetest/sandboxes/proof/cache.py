"""What a sandbox has proved is believed until the machine starts anew, or anything that it rests on changes."""

from __future__ import annotations

import hashlib
import os
import platform
from dataclasses import dataclass
from pathlib import Path

import msgspec

from forgetest.errors import UserError
from forgetest.files import atomic
from forgetest.sandboxes import Isolation, Sandbox

_FORMAT_VERSION = 1
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A proof as it lies on disk."""

    format_version: int
    isolation: Isolation


def of(sandbox: Sandbox, folder: Path, *, anew: bool = False) -> Isolation:
    """What the sandbox holds back: as proved before, since this machine was started, or proved now.

    A proof is kept below `folder`, for this boot, kernel and user and for the sandbox's own configuration. A sandbox
    that does not hold is tried anew each time: its keeper may have mended it.
    """
    boot = _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else None
    known = (boot, platform.release(), os.getuid(), os.geteuid(), sandbox.configuration)
    key = hashlib.sha256(msgspec.json.encode(known)).hexdigest()[:32]
    file = folder / "proofs" / f"{key}.json"
    if boot and not anew and (kept := _read(file)):
        return kept
    isolation = sandbox.probe()
    # what it rests on may have turned out to be less than it seemed: then that is to be found out each time
    if boot and not isolation.broken and sandbox.configuration == known[-1]:
        _write(file, isolation, boot)
    return isolation


def _read(file: Path) -> Isolation | None:
    try:
        kept = msgspec.json.decode(file.read_bytes(), type=_Kept)
    except (OSError, msgspec.MsgspecError):
        return None
    return kept.isolation if kept.format_version == _FORMAT_VERSION else None


def _write(file: Path, isolation: Isolation, boot: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _forget_other_boots(file.parent, boot)
        kept = _Kept(format_version=_FORMAT_VERSION, isolation=isolation)
        atomic.write_bytes(file, msgspec.json.encode(kept))
    except OSError as error:
        raise UserError(f"{file.parent}: cannot be written: {error.strerror}; set FORGETEST_CACHE") from error


def _forget_other_boots(folder: Path, boot: str) -> None:
    """What was proved before the machine was started is worth nothing any more."""
    mark = folder / "boot_id"
    if mark.exists() and mark.read_text() == boot:
        return
    for old in folder.glob("*.json"):
        old.unlink(missing_ok=True)
    mark.write_text(boot)


def files_identity(*files: Path) -> str:
    """Identify files by path, size and date, for a configuration: a changed program has to prove itself again."""
    return "; ".join(f"{file} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files)


def own_files() -> list[Path]:
    """The sandboxes' own source files, C included."""
    package = Path(__file__).parents[1]
    return sorted(path for path in package.rglob("*") if path.suffix in (".py", ".c"))
