"""Run commands as an ordinary user, who owns neither the checkout nor Python nor the toolchain."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from forgetest import config

UID = 61234
"""An id without an account, and not the one that root's sandboxes use."""
ROOT = Path(__file__).parents[1]


def sysroot() -> Path:
    """The folder of the Rust toolchain itself, without rustup's proxies."""
    asked = subprocess.run(
        ["rustc", "--print", "sysroot"], env=config.host_environment(), capture_output=True, text=True, check=True
    )
    return Path(asked.stdout.strip()).resolve()


def missing() -> str | None:
    """The reason why commands cannot be run as an ordinary user here; None if they can."""
    if os.geteuid() != 0:
        return "only root can become another user, and this run is an ordinary user's already"
    for tool in ("unshare", "setpriv", "mount", "bwrap"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    if shutil.which("rustc", path=config.host_environment()["PATH"]) is None:
        return "rustc is not installed"
    tried = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return None if tried.returncode == 0 else "root may not make a mount namespace here"


def run(
    command: Iterable[str],
    home: Path,
    *,
    timeout: float,
    toolchain: Path | None = None,
    subordinate_ids: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a command as that user, in the checkout, with an empty home of its own and the machine's toolchain.

    `subordinate_ids`: with ids for containers, as an account would have.
    """
    toolchain = toolchain or sysroot()
    home.mkdir(exist_ok=True)
    for path in (home, *home.rglob("*")):
        os.chown(path, UID, UID)
    environment = {
        "HOME": str(home),
        "TMPDIR": str(home),
        "FORGETEST_CACHE": str(home / "cache"),
        "PATH": f"{toolchain}/bin:{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    running = Path(tempfile.mkdtemp(prefix="run-", dir="/tmp"))  # podman refuses folders with long names
    os.chown(running, UID, UID)
    environment["XDG_RUNTIME_DIR"] = str(running)
    user = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "--"]
    places = [ROOT, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve(), toolchain, home]
    made = [*_opened(places), *(_known(home) if subordinate_ids else ())]
    script = "\n".join(["set -e", *made, shlex.join(["cd", str(ROOT)]), shlex.join(["exec", *user, *command])])
    try:
        return _run(script, environment, timeout)
    finally:
        _end_podman(running)
        shutil.rmtree(running, ignore_errors=True)


def _run(script: str, environment: dict[str, str], timeout: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )


def _end_podman(folder: Path) -> None:
    """End the process by which podman keeps a user namespace, if it was started."""
    kept = folder / "libpod" / "tmp" / "pause.pid"
    if kept.exists():
        os.kill(int(kept.read_text()), signal.SIGKILL)


def _known(home: Path) -> list[str]:
    """Shell lines that give the user a name and a range of subordinate ids, as an account would have."""
    entries = {
        "passwd": f"forgetest-tester:x:{UID}:{UID}::{home}:/bin/sh\n",
        "group": f"forgetest-tester:x:{UID}:\n",
        "subuid": "forgetest-tester:1000000:65536\n",
        "subgid": "forgetest-tester:1000000:65536\n",
    }
    lines = []
    for name, entry in entries.items():
        before, now = Path("/etc", name), home / f"{name}.here"
        now.write_text((before.read_text() if before.exists() else "") + entry)
        lines.append(f"mount --bind {shlex.quote(str(now))} {shlex.quote(str(before))}")
    return lines


def _opened(places: list[Path]) -> list[str]:
    """Shell lines that make these paths reachable: over each closed folder, mount a new one that contains them."""
    closed = sorted(
        {parent for place in places for parent in place.parents if not parent.stat().st_mode & stat.S_IXOTH}
    )
    outermost = [folder for folder in closed if not any(parent in closed for parent in folder.parents)]
    lines = []
    for folder in outermost:
        inside = [place for place in places if folder in place.parents]
        lines.append("mount -t tmpfs -o mode=755 none /mnt && mkdir /mnt/was")
        lines.append(f"mount --bind {shlex.quote(str(folder))} /mnt/was")
        lines.append(f"mount -t tmpfs -o mode=755 none {shlex.quote(str(folder))}")
        for place in inside:
            was, now = shlex.quote(f"/mnt/was/{place.relative_to(folder)}"), shlex.quote(str(place))
            lines.append(f"mkdir -p {now} && mount --rbind {was} {now}")
        lines.append("umount -l /mnt/was /mnt")
    return lines
