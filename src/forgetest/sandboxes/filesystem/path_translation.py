"""Lays a step out in a folder of the host, for kinds of isolation that cannot mount: its paths are translated.

`/w`, `/tmp` and `/x` are folders in there; what is mounted under another path than its own is a link. Paths are
translated in arguments and environment, and in files and input those of the step's own files.
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
    """A step on the host."""

    step: Step
    """With paths of the host."""
    work: Path
    """The folder that outputs are read from, for us."""
    start: str
    """The folder that the command starts in, for its user."""
    places: Mapping[str, str]
    """Where each of the step's paths is."""
    readable: tuple[str, ...]
    writable: tuple[str, ...]


def lay_out(step: Step, root: Path, staged: Callable[[str], str]) -> Layout:
    """Make the folders and links of a step below `root`; `staged` says where the sandbox's user finds something."""
    folders = {"/tmp": str(root / "tmp")}
    folders["/w" if step.workdir else "/x"] = str(root / ("w" if step.workdir else "x"))
    for folder in folders.values():
        Path(folder).mkdir()
    if step.keep:
        folders["/w"] = staged(step.keep)
    sources, moved, behind = [], {*folders}, dict[Path, Path]()
    for mount in step.mounts:
        if not os.path.lexists(mount.source):
            if mount.optional:
                continue
            raise MachineryError(f"{step.name}: {mount.source} is not there to be shown to the step")
        if _is_there(mount):
            sources.append(os.path.realpath(mount.target))
            continue
        sources.append(staged(os.path.realpath(mount.source)))
        _link(root, mount, sources[-1], behind)
        moved.add("/" + mount.target.lstrip("/").split("/")[0])
    places = {name: folders.get(name, f"{root}{name}") for name in moved}
    translate = _translator(places)
    own = {f"/w/{name}".encode(): f"{places['/w']}/{name}".encode() for name in step.files} if step.workdir else {}
    translated = replace(
        step,
        argv=tuple(translate(word) for word in step.argv),
        env={name: translate(value) for name, value in step.env.items()},
        stdin=_with_own_files(step.stdin, own),
        files={name: _with_own_files(content, own) for name, content in step.files.items()},
    )
    work = Path(step.keep) if step.keep else root / "w"
    if step.workdir:
        workdir.lay(translated, work)
    return Layout(
        step=translated,
        work=work,
        start=folders["/w" if step.workdir else "/tmp"],
        places=places,
        readable=(str(root), *sources),
        writable=tuple(folders.values()),
    )


def _is_there(mount: Mount) -> bool:
    """Whether the host has the same under the same path: a loader, say, whose path programs bring along."""
    source, target = os.path.realpath(mount.source), os.path.realpath(mount.target)
    if source == target:
        return True
    return Path(source).is_file() and Path(target).is_file() and filecmp.cmp(source, target, shallow=False)


def _link(root: Path, mount: Mount, seen: str, behind: dict[Path, Path]) -> None:
    """Make the link; `behind` says which folder is behind those that are made already, for us."""
    link = root / mount.target.lstrip("/")
    for folder in [root / parent for parent in reversed(link.relative_to(root).parents)]:
        if folder in behind:  # something is mounted into what is mounted: its entries become links of their own
            through = folder.readlink()
            folder.unlink()
            folder.mkdir()
            for entry in behind.pop(folder).iterdir():
                (folder / entry.name).symlink_to(through / entry.name)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(seen)
    if Path(mount.source).is_dir():
        behind[link] = Path(mount.source)


def translated_back(output: bytes, laid: Layout) -> bytes:
    """What a command said, with the step's own paths."""
    for name, place in sorted(laid.places.items(), key=lambda pair: len(pair[1]), reverse=True):
        output = output.replace(os.fsencode(place), os.fsencode(name))
    return output


def _translator(places: dict[str, str]) -> Callable[[str], str]:
    names = "|".join(re.escape(name) for name in sorted(places, key=len, reverse=True))
    # at the beginning of a path only; `-o/w/…` is how a compiler is told its output
    pattern = re.compile(rf"(?:(?<=-o)|(?<![\w./-]))({names})(?![\w.-])")
    return lambda text: pattern.sub(lambda found: places[found[1]], text)


def _with_own_files(content: bytes, own: dict[bytes, bytes]) -> bytes:
    for name, place in own.items():
        content = content.replace(name, place)
    return content
