"""A sample and the tests → one crate and a compiler call; and what is read from it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import build, signatures, testfile
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.glue import FIRST_SIGNATURE_LINE
from forgetest.toolchains.rust.crates import Crates
from forgetest.toolchains.rust.tools import Tools
from forgetest.verdict import Execution, Mount, Step

CODE = "pub fn triple(x: i64) -> i64 { x * 3 }"
CASE = Case(id="c", name="c", prompt="p", timeout_secs=7.0)
MOUNTS = (Mount(source="/l", target="/tc"),)
TOOLS = Tools(version="v", sysroot="/s", host="h", linker="/l/rust-lld", mounts=MOUNTS, run_libraries=())
CASE_BUILD = CaseBuild(
    tools=TOOLS,
    crates=Crates(),
    runtime="kept:runtime",
    test_file=testfile.rewrite("#[test] fn a() { assert_eq!(triple(1), 3); } #[test] fn b() -> R { r() }", (), "c"),
    functions=(
        signatures.function("fn triple(x: i64) -> i64", (), "c"),
        signatures.function("fn Stack::new() -> Stack", (), "c"),
    ),
    types=(),
    names=("Stack", "triple"),
)


def step(code: str = CODE, *, case: Case = CASE, case_build: CaseBuild = CASE_BUILD, **options: Any) -> Step:
    return build.step(case, code, case_build, BuildOptions(**options))


def glue(made: Step) -> str:
    return next(content.decode() for name, content in made.files.items() if name.endswith("_glue.rs"))


def case_file(made: Step) -> str:
    return next(content.decode() for name, content in made.files.items() if name.endswith("_tests.rs"))


# ---- the secret ----


def test_equal_samples_have_the_same_secret_name_and_others_differ():
    secret = CASE_BUILD.secret_name(CODE)
    assert secret == CASE_BUILD.secret_name(CODE)
    assert secret.isidentifier()
    assert secret != CASE_BUILD.secret_name(CODE + " ")


@given(st.text(), st.text())
def test_moving_text_from_the_tests_to_the_code_changes_the_secret_name(code: str, body: str):
    case_build = CaseBuild(
        tools=TOOLS,
        crates=Crates(),
        runtime="",
        test_file=testfile.TestFile(tests=(), body=body),
        functions=(),
        types=(),
    )
    shifted = CaseBuild(
        tools=TOOLS,
        crates=Crates(),
        runtime="",
        test_file=testfile.TestFile(tests=(), body="x" + body),
        functions=(),
        types=(),
    )
    assert case_build.secret_name(code + "x") != shifted.secret_name(code)


# ---- the crate ----


def test_the_sample_is_the_root_from_its_first_line_on():
    assert step().stdin.startswith(CODE.encode())


def test_our_declaration_is_below_the_sample():
    assert step().stdin.decode()[len(CODE) :].count("\n") == 3


def test_a_build_without_tests_contains_only_the_sample():
    made = step(tests=False)
    assert made.stdin.decode() == CODE
    assert made.files == {}
    assert made.outputs == ()


@given(st.text(alphabet=st.characters()))
def test_any_text_can_be_built(code: str):
    assert step(code).stdin


def test_no_placeholder_remains():
    made = step()
    assert all(b"\0" not in content for content in (*made.files.values(), made.stdin))


def test_the_tests_keep_their_lines_and_come_first_in_their_file():
    assert case_file(step()).splitlines()[0].lstrip().startswith("pub(crate) fn a()")


def test_names_are_imported_one_by_one_and_never_by_a_glob():
    first_line = glue(step()).splitlines()[0]
    assert "use super::super::{Stack};" in first_line
    assert "super::super::*" not in first_line


def test_a_function_with_a_signature_is_imported_from_its_shim():
    first_line = glue(step()).splitlines()[0]
    assert "_pins::pin_0::triple;" in first_line


def test_an_unmet_signature_is_left_out_and_the_function_is_imported_directly():
    lines = glue(step(without_signatures=frozenset({0}))).splitlines()
    assert "use super::super::{Stack, triple};" in lines[0]
    assert "crate::triple" not in lines[FIRST_SIGNATURE_LINE - 1]
    assert "crate::Stack::new" in lines[FIRST_SIGNATURE_LINE]


def test_each_signature_check_is_on_a_line_of_its_own():
    lines = glue(step()).splitlines()
    assert "crate::triple" in lines[FIRST_SIGNATURE_LINE - 1]
    assert "crate::Stack::new" in lines[FIRST_SIGNATURE_LINE]


def test_missing_names_are_left_out_and_further_names_are_imported():
    first_line = glue(step(without_names=frozenset({"triple"}), further_names=frozenset({"Red"}))).splitlines()[0]
    assert "use super::super::{Red, Stack};" in first_line
    assert "triple" not in first_line


def test_imports_that_the_compiler_asked_for_are_on_the_second_line():
    assert glue(step(imports=("crate::Area as _",))).splitlines()[1] == "use crate::Area as _; "


def test_the_entry_calls_each_test_by_its_number():
    text = glue(step())
    assert "0 => { " in text
    assert "_file::a(); true }" in text
    assert "1 => ::" in text
    assert "Termination::report(" in text


# ---- the call ----


def test_lints_are_forced_and_the_driver_is_clippys():
    argv = step().argv
    assert argv[0] == "/tc/bin/clippy-driver"
    assert {"--force-warn=clippy::all", "--force-warn=unsafe_code", "--edition=2021"} <= set(argv)


def test_the_checked_build_uses_rustc_on_the_same_code():
    argv = step(plain_rustc=True).argv
    assert argv[0] == "/tc/bin/rustc"
    assert "--cfg=clippy" in argv
    assert not [word for word in argv if word.startswith("--force-warn")]


@pytest.mark.parametrize(
    ("variant", "word"), [({"cfg_test": True}, "--cfg=test"), ({"capped": True}, "--cap-lints=allow")]
)
def test_build_options_change_the_flags(variant: dict[str, Any], word: str):
    assert word in step(**variant).argv
    assert word not in step().argv


def test_the_compiler_gets_the_cases_time_limit_and_no_network_home_or_proc():
    made = step()
    assert made.limits.cpu_s == 7.0
    assert step(case=replace(CASE, timeout_secs=1.0)).limits.cpu_s == 4.0  # the case asks for less, for its tests
    assert (made.proc, made.on_host, made.keep) == (False, False, None)
    assert set(made.env) == {"LD_LIBRARY_PATH", "TMPDIR"}


def test_diagnostics_do_not_show_the_secret_name():
    secret = CASE_BUILD.secret_name(CODE)
    assert f"--remap-path-prefix=/w/{secret}_glue.rs=glue.rs" in step().argv
    assert f"--remap-path-prefix=/w/{secret}_tests.rs=tests.rs" in step().argv


# ---- what came of it ----


def ended(**how: Any) -> Execution:
    return Execution(**{"step": "build", "ended": "exited", "exit_code": 0, "outputs": {"sample.so": b"object"}, **how})


def test_an_object_is_taken_from_a_build_that_succeeded():
    built = build.read(CODE, ended())
    assert (built.object, built.failure, built.remarks) == (b"object", None, ())


def test_an_object_of_a_build_that_failed_is_not_taken():
    assert build.read(CODE, ended(exit_code=1)).object is None


@pytest.mark.parametrize(
    ("how", "failure"),
    [
        ({"exit_code": 1, "stderr": b"{}\nerror: no\n"}, "the compiler ended with 1: error: no"),
        ({"exit_code": 1}, "the compiler ended with 1: no reason given"),
        ({"ended": "signalled", "exit_code": -11}, "the compiler ended with -11: no reason given"),
        ({"ended": "cpu_limit", "exit_code": -24}, "the compiler used up its CPU time"),
        ({"ended": "wall_limit", "exit_code": -9}, "the compiler did not end in time"),
        ({"ended": "output_limit", "exit_code": -9}, "the compiler printed more than is read"),
    ],
)
def test_a_failure_without_diagnostics_has_a_reason(how: dict[str, Any], failure: str):
    assert build.read(CODE, ended(**how)).failure == failure


def test_a_compiler_without_disk_space_is_a_failure_of_the_machine():
    message = {"message": "could not write output to /w/x.o: No space left on device", "level": "error", "spans": []}
    with pytest.raises(MachineryError, match="No space left"):
        build.read(CODE, ended(ended="exited", exit_code=1, stderr=json.dumps(message).encode()))


def test_a_sample_cannot_imitate_a_failure_of_the_machine():
    place = {"file_name": "<anon>", "line_start": 1, "line_end": 1, "column_start": 1, "column_end": 9}
    message = {"message": "No space left on device", "level": "error", "spans": [{**place, "is_primary": True}]}
    built = build.read(CODE, ended(ended="exited", exit_code=1, stderr=json.dumps(message).encode()))
    assert [remark.diagnostic.message for remark in built.errors] == ["No space left on device"]
