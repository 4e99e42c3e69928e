"""Opening a sandbox by its kind, with the user's settings."""

from __future__ import annotations

from forgetest import config, plugins
from forgetest.sandboxes import Sandbox, SandboxSettings


def open_sandbox(kind: str) -> Sandbox:
    """Create a sandbox of this kind; raises UserError with what the machine lacks for it."""
    sandbox: Sandbox = plugins.find("sandboxes", kind)(sandbox_settings())
    return sandbox


def sandbox_settings() -> SandboxSettings:
    """The settings for sandboxes of whoever runs this process."""
    return SandboxSettings(cache_folder=config.cache_folder(), engine_environment=config.engine_environment())
