"""Opening and proving a sandbox of some kind, with the user's settings."""

from __future__ import annotations

import contextlib
from pathlib import Path

from forgetest import config, plugins
from forgetest.errors import UserError
from forgetest.sandboxes import Isolation, Sandbox, SandboxSettings
from forgetest.sandboxes.proof import prove


def open_sandbox(kind: str) -> Sandbox:
    """Create a sandbox of this kind; raises UserError with what the machine lacks for it."""
    sandbox: Sandbox = plugins.find("sandboxes", kind)(sandbox_settings())
    return sandbox


def open_proved_sandbox(kind: str, folder: Path) -> tuple[Sandbox, Isolation]:
    """Open a sandbox and return it with what it has proved. A broken promise is a UserError.

    Proofs are kept below `folder`.
    """
    sandbox = open_sandbox(kind)
    with contextlib.ExitStack() as undo:
        undo.callback(sandbox.close)
        isolation = prove(sandbox, folder)
        if isolation.broken:
            raise UserError(
                f"the sandbox does not hold back: {', '.join(isolation.broken)}; nothing is run in it. "
                "See `forgetest doctor`"
            )
        undo.pop_all()
    return sandbox, isolation


def sandbox_settings() -> SandboxSettings:
    """The settings for sandboxes of whoever runs this process."""
    return SandboxSettings(cache_folder=config.cache_folder(), engine_environment=config.engine_environment())
