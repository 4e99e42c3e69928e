"""Targets of Rust packages: where a test of ours is run, and which tests are programs of their own."""

from __future__ import annotations

import pytest

from nerv.verification.ecosystems import cargo_suite, cargo_targets
from verified_projects import execution_of, tree_of

PACKAGE = '[package]\nname = "a"\nversion = "1.0.0"\n'
CONTROL = "control_0123456789ab"


@pytest.mark.parametrize(
    ("more", "paths", "expected"),
    [
        ("", ["src/lib.rs", "src/main.rs", "tests/a.rs"], ["src/lib.rs"]),
        ("[lib]\npath = 'code/a.rs'\n", ["code/a.rs"], ["code/a.rs"]),
        ("[lib]\ntest = false\n", ["src/lib.rs", "tests/b.rs", "tests/a.rs"], ["tests/a.rs"]),
        (
            "[lib]\ntest = false\n[[test]]\nname = 'a'\nharness = false\n",
            ["src/lib.rs", "tests/a.rs", "tests/b.rs"],
            ["tests/b.rs"],
        ),
        ("[[bin]]\nname = 'tool'\npath = 'src/tool.rs'\n", ["src/tool.rs"], ["src/tool.rs"]),
        ("", ["src/main.rs"], ["src/main.rs"]),
    ],
)
def test_a_test_of_ours_is_added_where_it_is_run(more, paths, expected):
    tree = tree_of({"Cargo.toml": PACKAGE + more, **dict.fromkeys(paths, "")})
    assert cargo_targets.tested_roots(tree) == expected


def test_every_library_of_a_workspace_gets_one():
    workspace = {"Cargo.toml": "[workspace]\nmembers = ['*']\n", "a/Cargo.toml": PACKAGE, "b/Cargo.toml": PACKAGE}
    tree = tree_of({**workspace, "a/src/lib.rs": "", "b/src/lib.rs": "", "b/src/main.rs": ""})
    assert cargo_targets.tested_roots(tree) == ["a/src/lib.rs", "b/src/lib.rs"]


def test_a_test_with_a_harness_of_its_own_is_judged_by_its_exit_code():
    tree = tree_of(
        {"Cargo.toml": f"{PACKAGE}[[test]]\nname = 'own'\nharness = false\n", "tests/own.rs": "", "src/lib.rs": ""}
    )
    events = f'{{"type":"test","event":"failed","name":"{CONTROL}::{CONTROL}"}}'.replace('"', '\\"')

    def outcome(exit_code):
        binaries = (
            f'{{"target":"own","kind":["test"],"source":"/w/project/tests/own.rs","exit_code":{exit_code},"output":""}},'
            f'{{"target":"a","kind":["lib"],"source":"/w/project/src/lib.rs","exit_code":101,"output":"{events}"}}'
        )
        report = f'{{"built":true,"errors":[],"stderr":"","binaries":[{binaries}]}}'
        return cargo_suite.read_report(tree, execution_of(cargo_json=report), CONTROL).outcomes

    assert outcome(0) == {"tests/own": "passed"}
    assert outcome(101) == {"tests/own": "failed"}
