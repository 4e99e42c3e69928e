"""Runs without their names, which say what is true of them and stand in the paths of logs that a judge reads."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

from calibration.generate import GeneratedRun


def without_its_name(run: GeneratedRun, folder: Path) -> GeneratedRun:
    """Return a copy of a run in `folder`, with a digest in the place of its name, in its log as well."""
    name = run.behaviour.name
    source = run.repo.parent
    target = folder / f"run-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    if not target.exists():
        shutil.copytree(source, target, symlinks=True)
        for file in target.rglob("*"):
            if file.is_file() and not file.is_symlink() and ".git" not in file.parts:
                text = file.read_bytes()
                if name.encode() in text:
                    file.write_bytes(text.replace(str(source).encode(), str(target).encode()))
    return replace(
        run,
        log=target / run.log.relative_to(source),
        repo=target / run.repo.relative_to(source),
        spec=target / run.spec.relative_to(source),
    )
