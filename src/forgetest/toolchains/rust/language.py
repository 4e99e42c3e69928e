"""Rust, as the rest of forgetest knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from forgetest.evalset import Case
from forgetest.files.schema import Key, Text
from forgetest.language import CaseKey, Language
from forgetest.toolchains.rust.answer.assemble import assemble
from forgetest.toolchains.rust.answer.items import begins_item
from forgetest.toolchains.rust.crates import CRATE_NAME, FEATURE_NAME


def _lint_url(code: str) -> str | None:
    name = code.removeprefix("clippy::")
    return None if name == code else f"https://rust-lang.github.io/rust-clippy/stable/index.html#{name}"


def _host_folders(variables: Mapping[str, str]) -> Sequence[str]:
    # rustup's folder, which is on the path of login shells only
    home = variables.get("CARGO_HOME") or f"{variables.get('HOME', '/nonexistent')}/.cargo"
    return (f"{home}/bin",)


LANGUAGE = Language(
    name="rust",
    io_forms=frozenset({"program", "call"}),
    title="Rust",
    fence_tags=frozenset({"rs"}),
    extension="rs",
    case_keys=(
        CaseKey(
            key=Key("edition", Text(choices=("2015", "2018", "2021", "2024")), "The edition of Rust"), default="2021"
        ),
    ),
    dependency_name=CRATE_NAME,
    dependency_feature=FEATURE_NAME,
    host_variables=r"(CARGO|RUSTUP|RUST)_\w+",
    host_folders=_host_folders,
    lint_url=_lint_url,
    begins_code=begins_item,
    assemble=assemble,
    # with more, a call would take a little less time per sample, but be more to repeat if one does not compile
    most_together=48,
)


def edition(case: Case) -> str:
    """Return the edition in which a case's samples are compiled."""
    return str(LANGUAGE.option(case.options, "edition"))
