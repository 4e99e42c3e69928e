"""The first process of a container: how it is built, and how its orders are written. What it does: init.c."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes.process import rlimits
from forgetest.verdict import Step

SOURCE = "init.c"
_FLAGS = ("-O1", "-static", "-nostdlib", "-nostartfiles", "-ffreestanding", "-fno-builtin", "-fno-stack-protector")
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1, 2, 4, 8, 1 << 14
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_NODES = 1 << 6 | 1 << 11
"""Making device files."""
_IOCTL_DEV = 1 << 15
_RIGHTS = {2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""What each version of Landlock can hold back of files. The first one is left out: it forbids all moving of files."""


def build(folder: Path, environment: Mapping[str, str]) -> Path:
    """Compile it: it is small, and a container may hold no library that it could use."""
    compiler = shutil.which("cc", path=environment.get("PATH"))
    if compiler is None:
        raise UserError("a container's first process is compiled here, and there is no C compiler: install `gcc`")
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
        told = done.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(f"{SOURCE} could not be compiled by {compiler}: {told[-1] if told else done.returncode}")
    program.chmod(0o755)
    return program


def held_back(landlock_abi: int) -> int:
    """What Landlock of this version is asked to hold back; 0 where there is none that will do."""
    return max((rights for abi, rights in _RIGHTS.items() if abi <= landlock_abi), default=0)


def rules(step: Step, *, readable: Mapping[str, bool]) -> list[tuple[str, int]]:
    """What a step may open: `readable` says of each path whether it is a folder."""
    found = [
        (path, (_EXECUTE | _READ_FILE | _READ_DIR) & (-1 if is_folder else _OF_A_FILE))
        for path, is_folder in readable.items()
    ]
    found += [("/proc", _READ_FILE | _READ_DIR)] if step.proc else []
    anything = ((1 << 16) - 1) & ~(_NODES | _IOCTL_DEV)
    found += [(folder, anything) for folder in ("/tmp", "/w" if step.workdir else "/x")]
    return found + [(device, _READ_FILE | _WRITE_FILE) for device in ("/dev/null", "/dev/zero", "/dev/urandom")]


def orders(
    step: Step,
    *,
    files: Mapping[str, bytes],
    own_user: bool,
    held_back: int,
    rules: Iterable[tuple[str, int]],
    filter_: bytes,
) -> bytes:
    """All that it is told, as it reads it. `own_user`: its user is nobody else's, so processes can be counted."""
    limits = rlimits.of(step.limits)
    if not own_user:
        del limits[rlimits.PROCESSES]
    allowed = list(rules)
    environment = (f"{name}={value}" for name, value in sorted(step.env.items()))
    parts = [_text("/w" if step.workdir else "/tmp"), _number(step.workdir and not step.keep), _number(len(files))]
    parts += [_text(name) + _bytes(content) for name, content in files.items()]
    parts += [_number(step.init), _number(len(limits))]
    parts += [struct.pack("=QQQ", which, soft, hard) for which, (soft, hard) in limits.items()]
    parts += [_number(held_back), _number(len(allowed))]
    parts += [_text(path) + _number(access) for path, access in allowed]
    parts += [_bytes(filter_), _number(len(step.argv)), *(_text(word) for word in step.argv)]
    return b"".join([*parts, _number(len(step.env)), *(_text(pair) for pair in environment)])


def _number(value: int) -> bytes:
    return struct.pack("=Q", value)


def _bytes(content: bytes) -> bytes:
    return _number(len(content)) + content + b"\0"


def _text(word: str) -> bytes:
    return _bytes(os.fsencode(word))
