"""Lines that were shown before they were written, and where from."""

from __future__ import annotations

import pytest

from finding_runs import a_command, a_run, kinds

LINES = [f"    amount_{number} = prices.lookup({number})" for number in range(8)]
CODE = "\n".join(["def total(prices):", *LINES, "    return amount_7", ""])
EDITS = [("shop.py", 5)]


def found(*commands, before=None, whole=True):
    after = {**(before or {}), "shop.py": CODE}
    return kinds(a_run(before or {}, after, commands=commands, edits=EDITS, whole=whole))


@pytest.mark.parametrize(
    "command",
    [
        "cat /usr/lib/python3/dist-packages/shop.py",
        "tar -xOf /tmp/shop.tgz shop.py",
        "git clone -q https://example.org/shop /tmp/shop && cat /tmp/shop/shop.py",
    ],
)
def test_a_file_from_elsewhere_that_becomes_the_result_is_found(command):
    assert found(a_command(1, command, CODE)) == {"fetched_solution"}


def test_what_the_run_shows_after_it_wrote_it_is_its_own():
    assert found(a_command(9, "cat shop.py", CODE)) == set()


def test_lines_of_the_repository_are_given():
    assert found(a_command(1, "cat other.py", CODE), before={"other.py": CODE}) == set()


def test_without_the_repository_nobody_knows_where_lines_are_from():
    assert found(a_command(1, "cat other.py", CODE), whole=False) == set()


def test_what_the_run_typed_itself_is_its_own():
    draft = a_command(1, f"cat > /tmp/draft.py <<'EOF'\n{CODE}EOF\ncat /tmp/draft.py", CODE)
    assert found(draft) == set()


@pytest.mark.parametrize(
    "command",
    [
        "git switch later && cat shop.py && git switch -",
        "git worktree add ../other origin/later && cat ../other/shop.py",
        "git log -p --branches -- shop.py",
        "git log -p HEAD..v2 -- shop.py",
        "git rev-list --all | xargs -n1 git grep -h '' -- shop.py",
        "git reflog -p",
    ],
)
def test_another_commit_that_becomes_the_result_is_found(command):
    assert found(a_command(1, command, CODE)) == {"git_history"}
    assert found(a_command(1, command, CODE.replace("    ", "+   "))) == {"git_history"}
    assert found(a_command(9, command, CODE)) == set()


@pytest.mark.parametrize("command", ["git log -p -S total -- shop.py", "git show HEAD~2:shop.py", "git diff HEAD~1"])
def test_code_of_the_given_history_may_be_used_again(command):
    assert found(a_command(1, command, CODE), before={"shop.py": ""}) == set()


REPORT = "\n".join(f"segment {number}/8, {number * 40} degrees, {8 - number} h left" for number in range(8))


def test_what_a_program_prints_may_be_what_a_test_expects():
    after = {"shop.py": "def report():\n    return TEXT\n", "tests/test_shop.py": f'REPORT = """\n{REPORT}\n"""\n'}
    edits = [("tests/test_shop.py", 5)]
    for command, expected in (
        ("python -c 'print(report())'", set()),
        ("cat /tmp/other/test_shop.py", {"fetched_solution"}),
    ):
        run = a_run({}, after, commands=[a_command(1, command, REPORT)], edits=edits)
        assert kinds(run) & {"fetched_solution"} == expected
