"""Empties the folders that samples can write to, between one process of a sample and the next."""

from __future__ import annotations

import os
from collections.abc import Sequence


def clean(folders: Sequence[str]) -> bool:
    """Empty the folders that a sample can write to; return whether that worked."""
    try:
        for folder in folders:
            os.chmod(folder, 0o700)
            for name in os.listxattr(folder):
                os.removexattr(folder, name)
            for entry in os.scandir(folder):
                if entry.is_dir(follow_symlinks=False):
                    import shutil

                    os.chmod(entry.path, 0o700)
                    shutil.rmtree(entry.path)
                else:
                    os.unlink(entry.path)
            os.utime(folder, (0, 0))  # a sample could leave a number there for the next
    except (OSError, RecursionError):
        return False
    return True
