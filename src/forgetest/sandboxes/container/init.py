"""The first process of a container: compiling it, and writing its instructions. What it does is in init.c."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes.process import exit_status, rlimits
from forgetest.verdict import Step

SOURCE = "init.c"
_FLAGS = ("-O1", "-static", "-nostdlib", "-nostartfiles", "-ffreestanding", "-fno-builtin", "-fno-stack-protector")
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1, 2, 4, 8, 1 << 14
_FILE_ACCESS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_MAKE_DEVICES = 1 << 6 | 1 << 11
_IOCTL_DEV = 1 << 15
_RIGHTS = {2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""Access rights that each version of Landlock controls. Version 1 is left out: it forbids moving files altogether."""


def build(folder: Path, environment: Mapping[str, str]) -> Path:
    """Compile it: it is small, and a container may hold no library that it could use."""
    compiler = shutil.which("cc", path=environment.get("PATH"))
    if compiler is None:
        raise UserError("containers need a C compiler, to compile their first process: install `gcc`")
    program = folder / "init"
    source = resources.files(__package__).joinpath(SOURCE).read_bytes()
    done = subprocess.run(
        [compiler, *_FLAGS, "-x", "c", "-o", str(program), "-"],
        input=source,
        env=dict(environment),
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        reason = exit_status.last_line(done.stderr) or done.returncode
        raise MachineryError(f"{SOURCE} could not be compiled by {compiler}: {reason}")
    program.chmod(0o755)
    return program


def landlock_rights(abi: int) -> int:
    """Return the access rights that Landlock of this version is asked to control; 0 where it is too old."""
    return max((rights for oldest, rights in _RIGHTS.items() if oldest <= abi), default=0)


def landlock_rules(step: Step, *, readable: Mapping[str, bool]) -> list[tuple[str, int]]:
    """Return the paths that a step may open, with their access rights.

    `readable` has the step's mounts, with True for folders.
    """
    rules = [
        (path, (_EXECUTE | _READ_FILE | _READ_DIR) & (-1 if is_folder else _FILE_ACCESS))
        for path, is_folder in readable.items()
    ]
    rules += [("/proc", _READ_FILE | _READ_DIR)] if step.proc else []
    any_access = ((1 << 16) - 1) & ~(_MAKE_DEVICES | _IOCTL_DEV)
    rules += [(folder, any_access) for folder in ("/tmp", "/w" if step.workdir else "/x")]
    return rules + [(device, _READ_FILE | _WRITE_FILE) for device in ("/dev/null", "/dev/zero", "/dev/urandom")]


def instructions(
    step: Step,
    *,
    files: Mapping[str, bytes],
    own_user: bool,
    rights: int,
    rules: Iterable[tuple[str, int]],
    seccomp_filter: bytes,
) -> bytes:
    """Encode everything that init.c is to do, in the order in which it reads it.

    `own_user`: the container's user is used by nobody else, so its processes can be counted.
    """
    limits = rlimits.from_limits(step.limits)
    if not own_user:
        del limits[rlimits.PROCESSES]
    allowed = list(rules)
    environment = (f"{name}={value}" for name, value in sorted(step.env.items()))
    parts = [
        _encode_text("/w" if step.workdir else "/tmp"),
        _encode_number(step.workdir and not step.keep),
        _encode_number(len(files)),
    ]
    parts += [_encode_text(name) + _bytes(content) for name, content in files.items()]
    parts += [_encode_number(step.init), _encode_number(len(limits))]
    parts += [struct.pack("=QQQ", which, soft, hard) for which, (soft, hard) in limits.items()]
    parts += [_encode_number(rights), _encode_number(len(allowed))]
    parts += [_encode_text(path) + _encode_number(access) for path, access in allowed]
    parts += [
        _bytes(seccomp_filter),
        _encode_number(len(step.argv)),
        *(_encode_text(argument) for argument in step.argv),
    ]
    return b"".join([*parts, _encode_number(len(step.env)), *(_encode_text(pair) for pair in environment)])


def _encode_number(value: int) -> bytes:
    return struct.pack("=Q", value)


def _bytes(content: bytes) -> bytes:
    return _encode_number(len(content)) + content + b"\0"


def _encode_text(text: str) -> bytes:
    return _bytes(os.fsencode(text))
