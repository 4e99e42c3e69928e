"""The result of a sandbox's probe, valid until the machine restarts or anything it depends on changes."""

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
class _ProofFile:
    format_version: int
    isolation: Isolation


def prove(sandbox: Sandbox, folder: Path, *, again: bool = False) -> Isolation:
    """Return the sandbox's isolation as proved since the machine started, or probe it now.

    A proof is kept below `folder` for this boot, kernel, user and configuration of the sandbox. A sandbox that does
    not hold is probed each time, since its owner may have repaired it; `again` probes in any case.
    """
    boot = _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else None
    circumstances = (boot, platform.release(), os.getuid(), os.geteuid(), sandbox.configuration)
    key = hashlib.sha256(msgspec.json.encode(circumstances)).hexdigest()[:32]
    file = folder / "proofs" / f"{key}.json"
    if boot and not again and (proved := _read_proof(file)):
        return proved
    isolation = sandbox.probe()
    # the probe may have found a mechanism that does not work, and changed the configuration: then probe each time
    if boot and not isolation.broken and sandbox.configuration == circumstances[-1]:
        _write_proof(file, isolation, boot)
    return isolation


def _read_proof(file: Path) -> Isolation | None:
    try:
        proof = msgspec.json.decode(file.read_bytes(), type=_ProofFile)
    except (OSError, msgspec.MsgspecError):
        return None
    return proof.isolation if proof.format_version == _FORMAT_VERSION else None


def _write_proof(file: Path, isolation: Isolation, boot: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _remove_other_boots(file.parent, boot)
        proof = _ProofFile(format_version=_FORMAT_VERSION, isolation=isolation)
        atomic.write_bytes(file, msgspec.json.encode(proof))
    except OSError as error:
        raise UserError(f"{file.parent}: cannot be written: {error.strerror}; set FORGETEST_CACHE") from error


def _remove_other_boots(folder: Path, boot: str) -> None:
    """Remove proofs from before the machine was restarted."""
    marker = folder / "boot_id"
    if marker.exists() and marker.read_text() == boot:
        return
    for outdated in folder.glob("*.json"):
        outdated.unlink(missing_ok=True)
    marker.write_text(boot)


def identify_files(*files: Path) -> str:
    """Identify files by path, size and time, for a configuration: a changed program has to prove itself again."""
    return "; ".join(f"{file} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files)


def own_files() -> list[Path]:
    """Return the source files of all sandboxes, C included."""
    package = Path(__file__).parents[1]
    return sorted(path for path in package.rglob("*") if path.suffix in (".py", ".c"))
