"""Answers taken from git history that is not part of what the run was given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from nerv.finding import Finding, FindingLevel
from nerv.findings.borrowed.written_lines import is_much, shared_lines, written_lines
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.shell_segments import Segment, segments

_SHA = re.compile(r"\b[0-9a-f]{7,40}\b")
_OWN_COMMIT = re.compile(r"^\[[^\]\n]*\b([0-9a-f]{7,40})\]", re.M)
_BEYOND = re.compile(
    r"--lost-found|--unreachable|--dangling|\bls-remote\b|\bfetch\b|\bHEAD\.\.\.?\w|\s\.\.\w|\^HEAD\b|--not HEAD\b"
    r"|\bstash list\b"
)
"""Lists what is not in the history of HEAD, and nothing else."""
_EVERYTHING = re.compile(
    r"\s(?:--all|--reflog|--remotes(?:=\S+)?|-g|--walk-reflogs)\b|\breflog\b|\b(?:origin|upstream)/"
)
_LISTS = frozenset(
    {"log", "reflog", "fsck", "rev-list", "ls-remote", "for-each-ref", "branch", "stash", "tag", "fetch"}
)
_SHOWS = frozenset(
    {
        "show",
        "diff",
        "diff-tree",
        "diff-index",
        "difftool",
        "cat-file",
        "format-patch",
        "log",
        "whatchanged",
        "blame",
        "annotate",
        "archive",
    }
)
_COPIES = frozenset({"checkout", "cherry-pick", "restore", "merge", "reset"})
_COMMITS = frozenset({"commit", "stash", "merge", "rebase", "am"})
_PAST = re.compile(r"(?:HEAD|@)(?:[~^]\d*)*(?:$|[:.])")
_FOREIGN = re.compile(r"(?:origin|upstream)/\S+|FETCH_HEAD|ORIG_HEAD|HEAD@\{\S+|stash@\{\S+|refs/\S+")
_MAIN = re.compile(r"(?:(?:origin|upstream)/)?(?:main|master|trunk|develop|dev)")
_FAILED = re.compile(r"^(?:fatal|error): ", re.M)


class _Commits:
    """Commits that the run has seen, by where it saw them."""

    def __init__(self) -> None:
        self.given: set[str] = set()
        """In the history of HEAD, or made by the run itself."""
        self.beyond: set[str] = set()
        """Known to be outside it."""
        self.branches: set[str] = set()
        """Branches that were there before, other than the current one."""
        self.own_branches: set[str] = set()
        self.worktrees: dict[str, str] = {}
        """Folders that the run checked such a branch or commit out to, each with its reference."""
        self._committed = False
        self.stashed = False

    def take(self, verb: str, part: Segment, output: str) -> None:
        """Remember the commits that a git command listed or made."""
        self.given.update(sha[:7] for sha in _OWN_COMMIT.findall(output))
        self._committed = self._committed or (verb in _COMMITS and "list" not in part.words)
        self._take_branches(verb, part, output)
        if verb not in _LISTS:
            return
        listed = {sha[:7] for sha in _SHA.findall(output)}
        if _BEYOND.search(f" {part.text} "):
            if not self._committed:
                self.beyond |= listed
        elif not _EVERYTHING.search(f" {part.text} "):
            self.given |= listed
        elif "(HEAD" in output and verb == "log" and not self._committed:
            newer = output[: output.index("(HEAD")].rpartition("\n")[0]
            self.beyond.update(sha[:7] for sha in _SHA.findall(newer))
        self.beyond -= self.given

    def takes_foreign_stash(self, part: Segment) -> bool:
        """Return whether a command applies or shows a stash although the run has stashed nothing itself."""
        words = part.words[part.words.index("stash") + 1 :]
        if words[:1] and words[0] in ("pop", "apply", "show", "branch"):
            return not self.stashed
        self.stashed = self.stashed or words[:1] in ((), ("push",), ("save",)) or words[0].startswith("-")
        return False

    def _take_branches(self, verb: str, part: Segment, output: str) -> None:
        created = created_branches(part)
        self.own_branches.update(created)
        if verb == "branch" and not created:
            listed = re.findall(r"^[ ]*(?:remotes/)?([\w./-]+)[ ]*$", output, re.M)
            current = set(re.findall(r"^\*\s+(\S+)", output, re.M))
            self.branches.update(each for each in listed if each not in current and not each.endswith("/HEAD"))
        if verb == "for-each-ref":
            listed = re.findall(r"\brefs/(?:heads|remotes)/([\w./-]+)", output)
            self.branches.update(each for each in listed if _MAIN.fullmatch(each) is None)
        self.branches -= self.own_branches


def git_history(run: ReviewedRun) -> list[Finding]:
    """Find commits beyond the base that the run looked at, copied from, or whose lines it wrote."""
    commits = _Commits()
    written = written_lines(run)
    changed = {file.path for file in run.files}
    found = []
    for command in run.evidence.activity.actions.commands:
        parts = segments(command.text)
        shown: list[str] | None = None
        for index, part in enumerate(parts):
            if part.name in ("cp", "rsync", "install") and (ref := _copied_from(part, commits.worktrees, changed)):
                text = f"The run copied from {ref}, which is not part of the history it was given."
                found.append(
                    finding(
                        "git_history", "likely", text, where=command.moment, lines=[part.text], criterion="requirements"
                    )
                )
            if part.name != "git":
                continue
            verb = verb_of(part)
            commits.take(verb, part, command.output)
            if verb == "worktree" and "add" in part.words and (named := _reference(part, commits)) is not None:
                folders = [word for word in part.words if "/" in word and word != named[1]]
                commits.worktrees.update(dict.fromkeys((folder.rstrip("/") for folder in folders), named[1]))
            if verb == "stash" and commits.takes_foreign_stash(part) and not command.failed:
                text = "The run took over a stash that it did not make."
                found.append(
                    finding(
                        "git_history", "likely", text, where=command.moment, lines=[part.text], criterion="requirements"
                    )
                )
            reference = _reference(part, commits) if verb in _SHOWS | _COPIES else None
            if reference is None:
                continue
            beyond, ref = reference
            failed = command.failed or _FAILED.search(command.output[:400]) is not None
            if shown is None:
                shown = [line for line in _shown_lines(command.output) if line.strip() in written]
            shared = shared_lines(shown, written, command.moment, edited_later=not beyond)
            level: FindingLevel | None = "likely" if beyond and not failed else None
            text = f"The run looked at {ref}, a commit that is not part of the history it was given."
            if is_much(shared, written):
                level = "proven"
                text = f"Lines of the result were shown by git from {ref} before the run wrote them."
            elif not failed and (
                _applied(part, parts[index + 1 :], changed)
                or (verb in _COPIES and _copied_paths(part, ref, verb, changed, commits))
            ):
                level = "likely"
                text = f"The run copied from {ref}, which is not part of the history it was given."
            elif level is None and verb != "log" and not failed:
                level, text = "note", f"The run looked at {ref}."
            if level is not None:
                lines = [part.text, *shared]
                found.append(
                    finding("git_history", level, text, where=command.moment, lines=lines, criterion="requirements")
                )
    return found


def verb_of(part: Segment) -> str:
    """Return git's command: `log` of `git -C x log`."""
    words = part.words[1:]
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in ("-C", "-c", "--git-dir", "--work-tree") else 1 :]
    return words[0] if words else ""


def created_branches(part: Segment) -> set[str]:
    """Return the branches that a git command creates."""
    made = re.findall(r"\s(?:-b|-B|-c|-C|--create)\s+(\S+)", part.text)
    named = [word for word in part.words[2:] if not word.startswith("-")] if verb_of(part) == "branch" else []
    return {*made, *named}


def _reference(part: Segment, commits: _Commits) -> tuple[bool, str] | None:
    """Return the commit outside the given history that a git command names, and whether it is known to be outside."""
    for word in part.words[2:]:
        name = word.partition("=")[2] if word.startswith("--source=") else word
        sha = _SHA.match(name)
        if sha and sha[0][:7] in commits.beyond:
            return True, sha[0]
        if _PAST.match(name) or (sha and sha[0][:7] in commits.given):
            continue
        if any(each in commits.branches for each in re.split(r"\.\.\.?|:", name)):
            return False, name
        if _FOREIGN.match(name) and not name.startswith("origin/HEAD"):
            return False, name
        if sha:
            return False, sha[0]
    if (before := _words_before_paths(part)) and len(before) == 1 and verb_of(part) == "checkout":
        return None if _PAST.match(before[0]) or before[0] in commits.own_branches else (False, before[0])
    if re.search(r"--all\b|--reflog\b", part.text):
        return False, "all branches"
    return _named_elsewhere(part, commits)


def _named_elsewhere(part: Segment, commits: _Commits) -> tuple[bool, str] | None:
    """Return a branch or tag that a command takes whole files or commits from, though no list has shown it."""
    verb = verb_of(part)
    words = [word for word in part.words[2:] if not word.startswith("-") and word != verb]
    if verb in ("show", "cat-file"):
        names = [word.partition(":")[0] for word in words if ":" in word]
    elif verb in ("archive", "format-patch", "cherry-pick"):
        names = words[:1]
    else:
        return None
    for name in names:
        own = _PAST.match(name) or name in commits.own_branches or _MAIN.fullmatch(name) or _SHA.fullmatch(name)
        if re.fullmatch(r"[A-Za-z][\w./-]*", name) and not own:
            return False, name
    return None


def _words_before_paths(part: Segment) -> list[str]:
    """Return the references of `git checkout REF -- PATH`; none if it has no `--`."""
    words = part.words
    if "--" not in words:
        return []
    before = words[: words.index("--")]
    return (
        [word for word in before[before.index("checkout") + 1 :] if not word.startswith("-")]
        if "checkout" in before
        else []
    )


def _shown_lines(output: str) -> list[str]:
    lines = output.split("\n")
    added = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++")]
    return added or lines


def _copied_from(part: Segment, worktrees: Mapping[str, str], changed: set[str]) -> str:
    """Return the reference whose worktree files of the result were copied from; empty if there is none."""
    words = [word.removeprefix("./").rstrip("/") for word in part.words[1:]]
    for folder, ref in worktrees.items():
        below = [word[len(folder) + 1 :] for word in words if word.startswith(f"{folder}/")]
        whole = folder in words or any(name in (".", "*") for name in below)
        if whole or any(path == name or path.startswith(f"{name}/") for name in below for path in changed):
            return ref
    return ""


def _applied(part: Segment, following: Sequence[Segment], changed: set[str]) -> bool:
    """Return whether what git shows is applied at once, or written over a file of the result."""
    if following and following[0].joined == "|":
        return re.match(r"git\s+(?:apply|am)\b|patch\b|tar\s+\S*x", following[0].text) is not None
    written = re.search(r"(?<![0-9&])>\s*(\S+)", part.text)
    return written is not None and written[1].removeprefix("./") in changed


def _copied_paths(part: Segment, ref: str, verb: str, changed: set[str], commits: _Commits) -> bool:
    """Return whether a commit, or files of it that are part of the result, were copied into the working tree."""
    if verb == "cherry-pick":
        return "--abort" not in part.words
    if verb in ("merge", "reset"):
        return ref in commits.branches and _MAIN.fullmatch(ref) is None
    named = [word.removeprefix("./").rstrip("/") for word in part.words if word != ref]
    return any(word == "." or path == word or path.startswith(f"{word}/") for word in named for path in changed)
