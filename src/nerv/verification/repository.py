"""Base and result of a run, found in its repository."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nerv.changes import Diff
from nerv.git_process import ask_git
from nerv.verification import trees
from nerv.verification.ecosystems.all import Project
from nerv.verification.inline_tests import exchange, inline_tests
from nerv.verification.recorded_changes import changed_tree
from nerv.verification.trees import NotVerifiable, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySource:
    """A repository with the result of a run, as the user or the results folder names it."""

    folder: Path
    base: str | None = None
    """The revision that the run began at; None: the root commit."""
    is_untrusted: bool = False
    """It is part of a results folder, which the run wrote: a `.git` that points elsewhere is not followed."""
    patch: Path | None = None
    """The result is the base with this patch, whatever the folder holds."""
    fallback_patch: Path | None = None
    """The patch of the results folder, for a repository that is still at its base."""
    recorded: Diff | None = None
    """The changes that the run's log records, for a repository that is still at its base."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """The files before and after a run."""

    base: Tree | None
    """None: the run began with nothing, or that is not known."""
    result: Tree
    uncommitted: tuple[str, ...] = ()
    """Files of the result that differ from its last commit, where the run made commits: the diff has only these."""

    def changed_files(self, project: Project) -> frozenset[str]:
        """Return the project's files with tests that differ, or exist only in one of the trees."""
        base = project.files(self.base) if self.base is not None else {}
        result = project.files(self.result)
        different = {path for path in {*base, *result} if base.get(path) != result.get(path)}
        return frozenset(
            path
            for path in different
            if project.is_test_file(path) or inline_tests(path, base.get(path)) != inline_tests(path, result.get(path))
        )

    def overlay(self, project: Project, code: Tree, tests: Tree) -> Tree:
        """Return one tree's code with the other's tests."""
        below = f"{project.folder}/" if project.folder else ""

        def is_test(path: str) -> bool:
            return path.startswith(below) and project.is_test_file(path[len(below) :])

        return {
            **{path: exchange(path, file, tests.get(path)) for path, file in code.items() if not is_test(path)},
            **{path: file for path, file in tests.items() if is_test(path)},
        }


def read_trees(source: RepositorySource) -> Trees:
    """Read base and result; raises NotVerifiable."""
    folder = source.folder
    head = ask_git(folder, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]) if _is_git(source) else None
    if head is None:
        if source.base is not None or source.patch is not None:
            raise NotVerifiable(f"{folder} is no git repository with commits, which --base and --diff need")
        return Trees(base=None, result=trees.folder_tree(folder))
    base = _base_tree(source, head)
    if source.patch is not None:
        if base is None:
            raise NotVerifiable("--diff needs --base: the commit that the patch applies to")
        return Trees(base=base, result=trees.patched_tree(base, source.patch.read_bytes()))
    result = trees.working_tree(folder) if trees.has_working_tree(folder) else trees.commit_tree(folder, head)
    if base is not None and result == base:
        if source.fallback_patch is not None:
            return Trees(base=base, result=trees.patched_tree(base, source.fallback_patch.read_bytes()))
        if source.recorded is not None:
            return Trees(base=base, result=changed_tree(base, source.recorded))
    return Trees(base=base, result=result, uncommitted=_uncommitted(source, base, result, head))


def _uncommitted(source: RepositorySource, base: Tree | None, result: Tree, head: str) -> tuple[str, ...]:
    if base is None or not trees.has_working_tree(source.folder):
        return ()
    committed = trees.commit_tree(source.folder, head)
    if committed == base:
        return ()  # nothing was committed: what the folder holds is the diff
    return tuple(sorted(path for path in {*committed, *result} if committed.get(path) != result.get(path)))


def _base_tree(source: RepositorySource, head: str) -> Tree | None:
    if source.base is not None:
        words = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{source.base}^{{commit}}"]
        revision = ask_git(source.folder, words)
        if revision is None:
            raise NotVerifiable(f"--base {source.base}: {source.folder} has no such revision")
    else:
        roots = (ask_git(source.folder, ["rev-list", "--max-parents=0", "HEAD"]) or "").split()
        revision = roots[-1] if roots else head
        if revision == head and not _differs(source.folder, head):
            return None  # all of it is the run's work
    return trees.commit_tree(source.folder, revision)


def _differs(folder: Path, head: str) -> bool:
    return trees.has_working_tree(folder) and trees.working_tree(folder) != trees.commit_tree(folder, head)


def _is_git(source: RepositorySource) -> bool:
    if source.is_untrusted:
        own = source.folder / ".git"
        return own.is_dir() and not own.is_symlink()
    return ask_git(source.folder, ["rev-parse", "--git-dir"]) is not None
