"""Trees: the files of a repository at a commit, in a folder, or with a patch applied, as values in memory.

An agent wrote them: links are kept as links and never followed, and nothing is checked out on the host.
"""

from __future__ import annotations

import io
import os
import stat
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nerv.git_process import ask_git, git_output

_MOST_BYTES = 256 << 20
_MOST_FILES = 50_000
_NEVER_COPIED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".tox", ".mypy_cache"})


class NotVerifiable(Exception):  # noqa: N818  (a reason, not an error of ours)
    """Why nothing can be verified, in one sentence with the next step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFile:
    """One file of a tree."""

    content: bytes = b""
    executable: bool = False
    link: str | None = None
    """Target, if it is a symbolic link."""

    @property
    def text(self) -> str:
        """The content as text; empty for a link."""
        return self.content.decode("utf-8", "replace")


Tree = Mapping[str, TreeFile]
"""Files by their path relative to the repository, with `/`."""


def commit_tree(repository: Path, revision: str) -> Tree:
    """Read all files of a commit; submodules are left out."""
    listing = git_output(repository, ["ls-tree", "-r", "-z", "--end-of-options", revision])
    if listing is None:
        raise NotVerifiable(f"{repository} has no revision {revision}; name the commit at which the run began")
    entries = [_parse_entry(entry) for entry in listing.split(b"\0") if entry]
    blobs = [(mode, name, path) for mode, kind, name, path in entries if kind == b"blob" and _is_inside(path)]
    if len(blobs) > _MOST_FILES:
        raise NotVerifiable(f"{repository} has {len(blobs)} files, more than the {_MOST_FILES} that are verified")
    names = b"\n".join(name for _, name, _ in blobs) + b"\n"
    sizes = git_output(repository, ["cat-file", "--batch-check=%(objectsize)"], names) or b""
    if sum(int(size) for size in sizes.split() if size.isdigit()) > _MOST_BYTES:
        raise _too_large(repository)
    contents = git_output(repository, ["cat-file", "--batch"], names)
    if contents is None:
        raise NotVerifiable(f"{repository}: the files of {revision} cannot be read; is the clone complete?")
    return _tree_from_batch(blobs, contents)


def working_tree(repository: Path) -> Tree:
    """Read the tracked files of a repository as they are in its folder, and new ones that are not ignored."""
    words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "."]
    listing = git_output(repository, words)
    if listing is None:
        raise NotVerifiable(f"{repository}: its files cannot be listed; --repo names a git repository with its files")
    paths = sorted({os.fsdecode(path) for path in listing.split(b"\0") if path})
    return _read_files(repository, [path for path in paths if _is_inside(path)])


def folder_tree(folder: Path) -> Tree:
    """Read the files of a folder that is no git repository, without installed packages and build output."""
    paths = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NEVER_COPIED)
        paths += [(Path(root) / name).relative_to(folder).as_posix() for name in sorted(names)]
        if len(paths) > _MOST_FILES:
            raise NotVerifiable(f"{folder} has more than the {_MOST_FILES} files that are verified")
    return _read_files(folder, paths)


def has_working_tree(repository: Path) -> bool:
    """Return whether a repository has its files beside it."""
    return ask_git(repository, ["rev-parse", "--is-inside-work-tree"]) == "true"


def patched_tree(tree: Tree, patch: bytes) -> Tree:
    """Return the tree with a patch applied; git refuses paths that lead out of the folder."""
    with tempfile.TemporaryDirectory(prefix="nerv-tree-") as name:
        folder = Path(name)
        write_tree(tree, folder)
        # no repository above the folder may count
        words = ["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-p1", "-"]
        if git_output(folder, ["init", "--quiet", "."]) is None or git_output(folder, words, patch) is None:
            raise NotVerifiable("the patch does not apply to the base commit; check --base and --diff")
        links = {path: file for path, file in tree.items() if file.link is not None}
        return {**links, **_whole_folder(folder)}


def _whole_folder(folder: Path) -> Tree:
    """Read every file of a folder that we wrote ourselves, but git's own."""
    paths = [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if ".git" not in path.relative_to(folder).parts and (path.is_symlink() or not path.is_dir())
    ]
    return _read_files(folder, paths)


def write_tree(tree: Tree, folder: Path) -> None:
    """Write the files of a tree into an empty folder; links are left out."""
    for path, file in tree.items():
        if file.link is not None or not _is_inside(path):
            continue
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        target.chmod(0o755 if file.executable else 0o644)


def archive(tree: Tree) -> bytes:
    """Return the tree as a tar archive, the same bytes for the same tree."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path in sorted(tree):
            file = tree[path]
            entry = tarfile.TarInfo(path)
            entry.mode = 0o755 if file.executable else 0o644
            if file.link is not None:
                entry.type, entry.linkname = tarfile.SYMTYPE, file.link
            else:
                entry.size = len(file.content)
            tar.addfile(entry, io.BytesIO(file.content))
    return buffer.getvalue()


def _read_files(folder: Path, paths: list[str]) -> Tree:
    tree: dict[str, TreeFile] = {}
    left = _MOST_BYTES
    for path in paths:
        file = _read_file(folder, path, left)
        if file is not None:
            left -= len(file.content)
            tree[path] = file
        if left < 0:
            raise _too_large(folder)
    return tree


def _read_file(folder: Path, path: str, most: int) -> TreeFile | None:
    """Read a file without following a link anywhere on its path; None for anything else, such as a pipe."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        *parents, name = PurePosixPath(path).parts
        for part in parents:
            deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=opened)
            os.close(opened)
            opened = deeper
        if stat.S_ISLNK(os.lstat(name, dir_fd=opened).st_mode):
            return TreeFile(link=os.readlink(name, dir_fd=opened))
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, dir_fd=opened), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None
            return TreeFile(content=stream.read(most + 1), executable=bool(status.st_mode & 0o100))
    except OSError:
        return None
    finally:
        os.close(opened)


def _parse_entry(entry: bytes) -> tuple[bytes, bytes, bytes, str]:
    head, _, path = entry.partition(b"\t")
    mode, kind, name = head.split(b" ")[:3]
    return mode, kind, name, os.fsdecode(path)


def _tree_from_batch(blobs: list[tuple[bytes, bytes, str]], contents: bytes) -> Tree:
    """Take apart what `git cat-file --batch` printed: for each blob a header line, the content and a line end."""
    tree: dict[str, TreeFile] = {}
    place = 0
    for mode, _, path in blobs:
        end = contents.index(b"\n", place)
        header = contents[place:end].split(b" ")
        if len(header) != 3:  # missing from an incomplete clone
            place = end + 1
            continue
        size = int(header[2])
        content = contents[end + 1 : end + 1 + size]
        place = end + 1 + size + 1
        is_link = mode == b"120000"
        tree[path] = TreeFile(
            content=b"" if is_link else content,
            executable=mode == b"100755",
            link=os.fsdecode(content) if is_link else None,
        )
    return tree


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and not {"..", ".git"} & set(parts)


def _too_large(place: Path) -> NotVerifiable:
    return NotVerifiable(f"{place} has more than the {_MOST_BYTES >> 20} MB that are verified; use --no-verify")
