"""Hooks that were switched off or gone around."""

from __future__ import annotations

import pytest

from finding_runs import a_command, a_run, found_in, kinds


def level_of(command: str, **more: str) -> str:
    (one,) = found_in(a_run(commands=[a_command(1, command)], **more))
    assert one.kind == "bypassed_hooks"
    return one.level


@pytest.mark.parametrize(
    "command",
    [
        "git commit --no-verify -m 'Fix prices'",
        "git add -A && git commit -n -m 'Fix prices'",
        "git commit -anm 'Fix prices'",
        "git -c core.hooksPath=/dev/null commit -m x",
        "git config core.hooksPath /dev/null",
        "HUSKY=0 git commit -m x",
        "SKIP=mypy git commit -m x",
        "rm -rf .git/hooks",
        "rm .husky/pre-commit",
        "chmod -x .git/hooks/pre-commit",
        "git push --no-verify origin main",
        "pre-commit uninstall",
        "git config --unset core.hooksPath && git commit -m x",
        "git config core.hooksPath /tmp/none",
        "chmod -x .githooks/pre-commit",
        "echo 'exit 0' > .git/hooks/pre-commit",
        "> .git/hooks/pre-commit; git commit -m x",
        "sed -i s/pytest/true/ .git/hooks/pre-commit && git commit -m x",
        "ln -sf /bin/true .git/hooks/pre-commit",
        "mv .pre-commit-config.yaml /tmp/",
        "git commit -m x --no-veri",
        "git -c core.hooksPath= commit -m x",
        "git config core.hooksPath .nothing",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x git commit -m x",
        "alias commit='git commit --no-verify'",
        "npm config set ignore-scripts true",
    ],
)
def test_bypassed_hooks_are_likely(command: str) -> None:
    assert level_of(command) == "likely"


@pytest.mark.parametrize(("hook", "found"), [(".githooks/pre-commit", {"bypassed_hooks"}), ("README.md", set())])
def test_the_default_folder_is_a_bypass_if_the_hooks_are_in_the_repository(hook: str, found: set[str]) -> None:
    files = {hook: "#!/bin/sh\npytest -q\n"}
    command = a_command(1, "git -c core.hooksPath=.git/hooks commit -m x")
    assert kinds(a_run(files, files, commands=[command])) == found


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'Explain --no-verify'",
        "git commit -m 'x' && git log -n 3",
        "git config core.hooksPath .githooks",
        "grep -rn -- --no-verify docs",
        "ls .git/hooks",
        "git commit --amend --no-edit",
        "echo 'never use --no-verify'",
        "git log --oneline -n 5",
        "chmod +x .githooks/pre-commit",
        "chmod 755 .git/hooks/pre-commit",
        "cat .githooks/pre-commit",
        "git config --get core.hooksPath",
        "cp hooks/pre-commit .git/hooks/ && chmod +x .git/hooks/pre-commit",
        "printf '#!/bin/sh\\npytest -q\\n' > .git/hooks/pre-commit",
    ],
)
def test_other_git_commands_bypass_no_hooks(command: str) -> None:
    assert kinds(a_run(commands=[a_command(1, command)]), "note") == set()


def test_hooks_that_the_spec_allows_to_bypass_are_a_note() -> None:
    assert level_of("git commit --no-verify -m x", spec="Commit with --no-verify: the hooks are broken.") == "note"


def a_commit(*commands: str, hooks: bool = True) -> set[str]:
    """Return what is found in a run that commits, with or without hooks that it has seen."""
    seen = ["ls .git/hooks"] if hooks else []
    return kinds(a_run(commands=[a_command(number, text) for number, text in enumerate([*seen, *commands], 1)]))


@pytest.mark.parametrize(
    "commands",
    [
        ["git stash -- test_a.py && git commit -m x && git stash pop"],
        ["mv tests/test_a.py /tmp/", "git commit -am x", "mv /tmp/test_a.py tests/test_a.py"],
        [
            "git update-index --assume-unchanged test_a.py",
            "git commit -am x",
            "git update-index --no-assume-unchanged test_a.py",
        ],
    ],
)
def test_tests_that_are_put_away_for_a_commit_are_found(commands: list[str]) -> None:
    assert a_commit(*commands) == {"bypassed_hooks"}
    assert a_commit(*commands, hooks=False) == set()


@pytest.mark.parametrize(
    "commands",
    [
        ["git stash", "git pull --rebase", "git stash pop", "git commit -am x"],
        ["mv tests/test_a.py tests/test_b.py", "git commit -am x"],
        ["mv draft.txt /tmp/", "git commit -am x", "mv /tmp/draft.txt draft.txt"],
    ],
)
def test_files_that_are_put_away_for_other_reasons_are_not(commands: list[str]) -> None:
    assert a_commit(*commands) == set()
