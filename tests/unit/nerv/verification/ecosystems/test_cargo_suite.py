"""Rust: libtest's events, failed builds and required crates."""

from __future__ import annotations

import json

import pytest

from nerv.verification.ecosystems import UntrustedReport, cargo_suite
from verified_projects import execution_of

CONTROL = "control_0123456789ab"


def libtest(*events):
    return "".join(json.dumps({"type": "test", "name": name, "event": event}) + "\n" for name, event in events)


def cargo(*binaries, built=True, errors=(), stderr=""):
    found = [
        {"target": "t", "kind": ["lib"], "source": f"/w/project/{source}", "exit_code": 101, "output": output}
        for source, output in binaries
    ]
    return execution_of(cargo_json=json.dumps({"built": built, "errors": errors, "stderr": stderr, "binaries": found}))


def test_tests_of_rust_are_named_by_file_and_path():
    events = libtest(("tests::a", "started"), ("tests::a", "ok"), ("tests::b", "ignored"), (CONTROL, "failed"))
    report = cargo_suite.read_report({}, cargo(("src/lib.rs", "noise\n" + events)), CONTROL)
    assert report.outcomes == {"src/lib::tests::a": "passed", "src/lib::tests::b": "skipped"}


def test_a_test_that_prints_its_own_success_has_failed():
    events = libtest(("a", "ok"), ("a", "failed"), (CONTROL, "failed"))
    assert cargo_suite.read_report({}, cargo(("src/lib.rs", events)), CONTROL).outcomes == {"src/lib::a": "failed"}


def test_every_library_s_control_must_fail():
    binaries = [("a/src/lib.rs", libtest((CONTROL, "failed"))), ("b/src/lib.rs", libtest((CONTROL, "ok")))]
    with pytest.raises(UntrustedReport):
        cargo_suite.read_report({}, cargo(*binaries), CONTROL)


def test_a_missing_crate_is_the_machine_s_lack_and_a_compile_error_is_not():
    failed = cargo_suite.read_report({}, cargo(built=False, errors=["cannot find value `c`"]), CONTROL)
    assert (failed.broken_build, failed.unavailable, failed.problem) == (True, False, "cannot find value `c`")
    missing = cargo_suite.read_report(
        {}, cargo(built=False, stderr="error: no matching package named `x` found"), CONTROL
    )
    assert (missing.broken_build, missing.unavailable) == (False, True)
    full = cargo_suite.read_report({}, cargo(built=False, errors=["No space left on device (os error 28)"]), CONTROL)
    assert (full.broken_build, full.unavailable) == (False, True)
