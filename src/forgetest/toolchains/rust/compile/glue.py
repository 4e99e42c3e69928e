"""The text that joins a sample to the trusted tests of its case.

Diagnostics are attributed by file and line, so this layout is a contract with `diagnostics` and `adapt`:

    the root    the sample, from its first line on; below it, `const _: () = ();` and the declaration of glue.rs
    glue.rs     line 1         imports of the names that the tests take from the sample
                line 2         imports of traits and macros that the compiler asked for
                line 3         the head of the module of signature checks
                from line 4    FIRST_SIGNATURE_LINE: one checked signature or type a line, in the order of the case
                the rest       the declaration of tests.rs, and the entry point that the launcher calls
    tests.rs    the case's tests, in their author's own lines

All generated names contain the secret, so the sample cannot refer to them. They are part of the object and therefore
of the hash in a verdict's provenance: renaming one changes that hash for the same sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from forgetest.evalset import Case
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.compile.expected_items import type_check
from forgetest.toolchains.rust.compile.trusted_paths import SECRET, fill_placeholders
from forgetest.toolchains.rust.language import edition

FIRST_SIGNATURE_LINE = 4
"""The line of the first signature check in glue.rs."""
# on our own module, whatever lint levels the sample sets for its crate
_QUIET = "#[allow(warnings, unused, missing_docs, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]"


def write(
    case: Case, code: str, case_build: CaseBuild, options: BuildOptions, sample_root: str = "crate"
) -> tuple[str, dict[str, bytes]]:
    """Return the sample with our declaration below it, and our files by name.

    `sample_root` is the path of the module that holds the sample.
    """
    secret = case_build.secret_name(code)
    prelude = f"use ::{SECRET}::std::prelude::rust_{edition(case)}::*;"
    texts = {
        "glue": _glue(prelude, code, case_build, options),
        "tests": f"{case_build.test_file.body}\n{prelude} use super::*;\n",
    }
    files = {
        f"{secret}_{name}.rs": fill_placeholders(text, secret, sample_root).encode(errors="replace")
        for name, text in texts.items()
    }
    declaration = f'{"" if options.capped else _QUIET} #[path = "/w/{secret}_glue.rs"] mod {secret}_tests;\n'
    # the empty const takes whatever an attribute or doc comment at the sample's end would otherwise apply to
    return f"{code}\nconst _: () = ();\n{_linked_crates(case, case_build, secret)}{declaration}", files


def _linked_crates(case: Case, case_build: CaseBuild, secret: str) -> str:
    """Return what makes our crates known at the root of a sample: before 2018, imports know no others."""
    if edition(case) != "2015":
        return ""
    return "".join(
        f"extern crate {secret}{name};" for name in ("", *(f"_{name}" for name, _ in case_build.crates.libraries))
    )


def entry_symbol(secret: str) -> str:
    """Return the one symbol that the object exports."""
    return f"{secret}_entry"


def _glue(prelude: str, code: str, case_build: CaseBuild, options: BuildOptions) -> str:
    checks = [
        "" if index in options.without_signatures else item.signature_check or type_check(item, code)
        for index, item in enumerate(case_build.checked_items)
    ]
    shims = {item.name: index for index, item in enumerate(case_build.checked_items) if item.has_shim and checks[index]}
    names = sorted({*case_build.names, *options.further_names} - options.without_names)
    check_lines = [
        f"pub(super) mod pin_{index} {{ {prelude} use super::super::*; {check} }}\n"
        for index, check in enumerate(checks)
    ]
    head = [
        f"pub(crate) mod {SECRET}_names {{ {_name_imports(names, shims)}\n",
        f"{''.join(f'use {path}; ' for path in options.imports)}\n",
        f"mod {SECRET}_pins {{\n",
    ]
    begin = f"::{SECRET}::let_assertions_panic();" if case_build.test_file.assertions_panic else ""
    assert len(head) == FIRST_SIGNATURE_LINE - 1
    rest = [
        f'}} #[path = "/w/{SECRET}_tests.rs"] pub(crate) mod {SECRET}_file; }}\n',
        # uses the sample's `main`, so that it is not reported as dead code; falls back to ours if it has none
        f"mod {SECRET}_main {{ fn main() {{}} pub fn used() {{ use super::super::*; let _ = main; }} }}\n",
        f"#[unsafe(no_mangle)] pub fn {entry_symbol(SECRET)}(index: usize) -> bool {{ {begin} match index {{\n",
        *_match_arms(case_build.tests),
        f" _ => {{ {SECRET}_main::used(); false }} }} }}\n",
    ]
    return "".join([*head, *check_lines, *rest])


def _name_imports(names: Iterable[str], shims: dict[str, int]) -> str:
    """Import names from the sample; a function with a shim from the module of its signature check, given by index."""
    plain = ", ".join(name for name in names if name not in shims)
    from_sample = f"pub(in super::super) use super::super::{{{plain}}};" if plain else ""
    from_checks = "".join(
        f" pub(in super::super) use self::{SECRET}_pins::pin_{shims[name]}::{name};" for name in names if name in shims
    )
    return from_sample + from_checks


def _match_arms(tests: Iterable[ExpectedTest]) -> Iterator[str]:
    """Yield an arm for each test: true if it passes, by its number."""
    for index, test in enumerate(tests):
        call = f"{SECRET}_names::{SECRET}_file::{test.name}()"
        if test.runtime:
            call = f"::{SECRET}_tokio::runtime::Builder::{test.runtime}.build().unwrap().block_on({call})"
        if test.returns:
            report = f"::{SECRET}::std::process::Termination::report({call})"
            yield f"{index} => {report} == ::{SECRET}::std::process::ExitCode::SUCCESS,\n"
        else:
            panics = f"::{SECRET}::let_assertions_panic(); " if test.kind == "should_panic" else ""
            yield f"{index} => {{ {panics}{call}; true }}\n"
