"""Crates that a Rust project requires, and what of them is built beforehand."""

from __future__ import annotations

import pytest

from nerv.verification.ecosystems import cargo_crates
from nerv.verification.trees import TreeFile
from verified_projects import tree_of


@pytest.mark.parametrize(
    ("stderr", "reason"),
    [
        (
            (
                "error: failed to sync\n\nCaused by:\n  no lock\n\nCaused by:\n  no matching package named `x` found\n"
                "  location searched: crates.io index\n  required by package `d v0.1.0 (/tmp/d)`\n"
            ),
            "no matching package named `x` found",
        ),
        ("error: failed to get `x`\n\nCaused by:\n  first\n\nCaused by:\n  no route to host\n", "no route to host"),
        ("error: bad manifest\n", "bad manifest"),
        ("", "cargo failed; is there a network?"),
    ],
)
def test_what_cargo_says_is_the_reason(stderr, reason):
    assert cargo_crates.cargo_reason(stderr) == reason


@pytest.mark.parametrize(
    ("manifest", "requires"),
    [
        ('[dependencies]\nserde = "1"\n', True),
        ('[dev-dependencies]\nx = { version = "1" }\n', True),
        ('[workspace.dependencies]\nx = "1"\n', True),
        ('[dependencies]\nown = { path = "../own" }\nshared = { workspace = true }\n', False),
        ("[dependencies]\n", False),
        ("not TOML [", False),
        ("dependencies = 3\n", False),
        ('dependencies = ["x"]\ntarget = true\nworkspace = "x"\n', False),
        ("a = " + "[" * 5000 + "]" * 5000, False),
    ],
)
def test_only_crates_of_others_are_fetched(manifest, requires):
    assert cargo_crates._requires_crates(tree_of({"Cargo.toml": manifest})) is requires


MANIFEST = '[package]\nname = "own"\nversion = "1.0.0"\n\n[dependencies]\nserde = "1"\n'
LOCK = """\
[[package]]
name = "own"
version = "1.0.0"

[[package]]
name = "serde"
version = "1.0.1"
source = "registry+https://github.com/rust-lang/crates.io-index"
"""


def key(manifest: str = MANIFEST, lock: str = LOCK) -> str:
    return cargo_crates._key(tree_of({"Cargo.toml": manifest, "Cargo.lock": lock}))


def test_a_new_version_of_the_package_requires_the_same_crates():
    assert key(MANIFEST.replace("1.0.0", "1.1.0"), LOCK.replace('"1.0.0"', '"1.1.0"')) == key()
    assert key(MANIFEST.replace("serde = ", 'edition = "2021"\nserde = ')) != key()


@pytest.mark.parametrize(
    ("manifest", "lock"),
    [
        (MANIFEST.replace('"1"', '"2"'), LOCK),
        (MANIFEST + '[features]\ndefault = ["serde/derive"]\n', LOCK),
        (MANIFEST + "[profile.dev]\nopt-level = 1\n", LOCK),
        (MANIFEST, LOCK.replace("1.0.1", "1.0.2")),
        ("not TOML [", LOCK),
    ],
)
def test_other_requirements_and_other_profiles_are_built_anew(manifest, lock):
    assert key(manifest, lock) != key()


def test_crates_are_built_with_a_project_without_its_code():
    files = {"Cargo.toml": MANIFEST, "Cargo.lock": LOCK, "src/lib.rs": "pub fn a() {}\n", "build.rs": "fn main() {}\n"}
    stub = cargo_crates._stub(tree_of({**files, "README.md": "Own.\n", ".cargo/config.toml": "[build]\n"}))
    assert {path: file.text for path, file in stub.items()} == {
        "stub/Cargo.toml": MANIFEST,
        "stub/Cargo.lock": LOCK,
        "stub/.cargo/config.toml": "[build]\n",
        "stub/src/lib.rs": "fn main() {}\n",
        "stub/build.rs": "fn main() {}\n",
    }


def test_the_project_s_own_packages_are_known_by_their_manifests():
    member = '[lib]\nname = "other"\n\n[package]\nedition = "2021"\nname = "member"\n'
    tree = tree_of({"Cargo.toml": MANIFEST, "member/Cargo.toml": member, "virtual/Cargo.toml": "[workspace]\n"})
    assert cargo_crates._own_packages(tree) == ["member", "own"]


def test_lists_and_comments_before_the_name_of_a_package_hide_it_not():
    # otherwise cargo would take what it built of the package without its code for the package
    manifest = '# as in [package]\n[package]\nauthors = ["A <a@b.c>"]\n# see [docs]\nname = "own"\nversion = "1.0.0"\n'
    assert cargo_crates._own_packages(tree_of({"Cargo.toml": manifest})) == ["own"]


def test_a_name_that_no_package_can_have_is_left_out():
    tree = tree_of({"Cargo.toml": '[package]\nname = "../*"\n', "a/Cargo.toml": "[package]\nname = 3\n"})
    assert cargo_crates._own_packages(tree) == []


def test_what_cargo_may_start_in_the_place_of_the_compiler_is_part_of_what_is_built():
    def settings(wrapper: str, *, executable: bool = True) -> list[str]:
        config = tree_of({".cargo/config.toml": '[build]\nrustc-wrapper = ".cargo/wrap"\n', "src/lib.rs": wrapper})
        program = TreeFile(content=wrapper.encode(), executable=executable)
        return cargo_crates._settings_of_cargo({**config, ".cargo/wrap": program})

    honest = settings('#!/bin/sh\nexec "$@"\n')
    assert len(honest) == 2
    assert settings('#!/bin/sh\nexec "$@" --cfg evil\n') != honest
    assert settings('#!/bin/sh\nexec "$@"\n', executable=False) != honest
