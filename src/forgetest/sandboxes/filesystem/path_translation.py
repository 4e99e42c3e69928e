"""Path translation: lays a step out in a folder of the host, for sandboxes that cannot mount anything.

`/w`, `/tmp` and `/x` become folders in it; a mount whose target is not its source becomes a link. Paths are
translated in arguments and environment; in files and input, only those of the step's own files.
"""

from __future__ import annotations

import filecmp
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from forgetest.errors import MachineryError
from forgetest.sandboxes.filesystem import workdir
from forgetest.verdict import Mount, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A step as it lies on the host."""

    step: Step
    """The step, with paths of the host."""
    work: Path
    """Folder that outputs are read from."""
    start: str
    """Folder that the command starts in."""
    host_paths: Mapping[str, str]
    """Path on the host for each path of the step that was moved."""
    readable: tuple[str, ...]
    writable: tuple[str, ...]


def lay_out(step: Step, root: Path, reachable: Callable[[str], str]) -> Layout:
    """Make the folders and links of a step below `root`.

    `reachable` returns a path by which the sandbox's user can reach a file.
    """
    folders = {"/tmp": str(root / "tmp")}
    folders["/w" if step.workdir else "/x"] = str(root / ("w" if step.workdir else "x"))
    for folder in folders.values():
        Path(folder).mkdir()
    if step.keep:
        folders["/w"] = reachable(step.keep)
    sources, moved = _link_mounts(step, root, reachable)
    host_paths = {name: folders.get(name, f"{root}{name}") for name in {*folders, *moved}}
    translated = _translate(step, host_paths)
    work = Path(step.keep) if step.keep else root / "w"
    if step.workdir:
        workdir.write_files(translated, work)
    return Layout(
        step=translated,
        work=work,
        start=folders["/w" if step.workdir else "/tmp"],
        host_paths=host_paths,
        readable=(str(root), *sources),
        writable=tuple(folders.values()),
    )


def translate_back(output: bytes, layout: Layout) -> bytes:
    """Replace paths of the host in a command's output by the step's own."""
    for name, host_path in sorted(layout.host_paths.items(), key=lambda pair: len(pair[1]), reverse=True):
        output = output.replace(os.fsencode(host_path), os.fsencode(name))
    return output


def _link_mounts(step: Step, root: Path, reachable: Callable[[str], str]) -> tuple[list[str], set[str]]:
    """Link the step's mounts below `root`; return their paths on the host, and the top folders that were moved."""
    sources, moved, linked_folders = list[str](), set[str](), dict[Path, Path]()
    for mount in step.mounts:
        if not os.path.lexists(mount.source):
            if mount.optional:
                continue
            raise MachineryError(f"{step.name}: {mount.source} does not exist, so it cannot be mounted")
        if _is_on_host(mount):
            sources.append(os.path.realpath(mount.target))
            continue
        sources.append(reachable(os.path.realpath(mount.source)))
        _link(root, mount, sources[-1], linked_folders)
        moved.add("/" + mount.target.lstrip("/").split("/")[0])
    return sources, moved


def _is_on_host(mount: Mount) -> bool:
    """True if the host has the same file at the target, such as a program loader whose path programs contain."""
    source, target = os.path.realpath(mount.source), os.path.realpath(mount.target)
    if source == target:
        return True
    return Path(source).is_file() and Path(target).is_file() and filecmp.cmp(source, target, shallow=False)


def _link(root: Path, mount: Mount, source: str, linked_folders: dict[Path, Path]) -> None:
    """Link a mount's target to `source`; `linked_folders` maps the links made so far to the folders they stand for."""
    link = root / mount.target.lstrip("/")
    for folder in [root / parent for parent in reversed(link.relative_to(root).parents)]:
        if folder in linked_folders:  # a mount inside a mount: link the entries of the outer one instead
            outer = folder.readlink()
            folder.unlink()
            folder.mkdir()
            for entry in linked_folders.pop(folder).iterdir():
                (folder / entry.name).symlink_to(outer / entry.name)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(source)
    if Path(mount.source).is_dir():
        linked_folders[link] = Path(mount.source)


def _translate(step: Step, host_paths: Mapping[str, str]) -> Step:
    names = "|".join(re.escape(name) for name in sorted(host_paths, key=len, reverse=True))
    # at the beginning of a path only, or directly after a one-letter option such as `-o`, as in `-o/w/out`
    pattern = re.compile(rf"(?:(?<=-o)|(?<![\w./-]))({names})(?![\w.-])")

    def translate(text: str) -> str:
        return pattern.sub(lambda match: host_paths[match[1]], text)

    def translate_own_files(content: bytes) -> bytes:
        for name in step.files if step.workdir else ():
            content = content.replace(f"/w/{name}".encode(), f"{host_paths['/w']}/{name}".encode())
        return content

    return replace(
        step,
        argv=tuple(translate(argument) for argument in step.argv),
        env={name: translate(value) for name, value in step.env.items()},
        stdin=translate_own_files(step.stdin),
        files={name: translate_own_files(content) for name, content in step.files.items()},
    )
