"""A case's dependencies: the steps that fetch and build them, and what is read from their output."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Generator

import pytest

from forgetest.errors import UserError
from forgetest.evalset import Dependency
from forgetest.toolchains.rust import crates
from forgetest.toolchains.rust.crates import Crates
from forgetest.toolchains.rust.tools import Tools
from forgetest.verdict import Execution, Step

TOOLS = Tools(
    version="rustc 1.95.0", sysroot="/opt/rust", host="h", linker="/opt/rust/rust-lld", mounts=(), run_libraries=()
)
TOKIO = Dependency(name="tokio", version="1", features=("full", "test-util"))
DASHED = Dependency(name="once-cell", version="^1.2")


def artifact(name: str, *files: str, kind: str = "lib") -> str:
    return json.dumps({"reason": "compiler-artifact", "target": {"name": name, "kind": [kind]}, "filenames": files})


BUILT = "\n".join(
    [
        artifact("build-script-build", "/w/target/debug/build/x/build-script-build", kind="custom-build"),
        artifact("tokio", "/w/target/debug/deps/libtokio-1.rlib", "/w/target/debug/deps/libtokio-1.rmeta"),
        artifact("once-cell", "/w/target/debug/deps/libonce_cell-2.rlib"),
        artifact("mio", "/w/target/debug/deps/libmio-3.rlib"),
        artifact("tokio_macros", "/w/target/debug/deps/libtokio_macros-4.so", kind="proc-macro"),
        json.dumps({"reason": "build-script-executed", "linked_paths": ["native=/w/target/debug/build/x/out"]}),
        json.dumps({"reason": "build-finished", "success": True}),
    ]
)


def execution(stdout: str = "", *, exit_code: int = 0, stderr: str = "", lock: bytes | None = b"lock") -> Execution:
    outputs = {"Cargo.lock": lock} if lock else {}
    return Execution(
        step="-", ended="exited", exit_code=exit_code, stdout=stdout.encode(), stderr=stderr.encode(), outputs=outputs
    )


def played(script: Generator[Step, Execution, Crates], *executions: Execution) -> tuple[list[Step], Crates | None]:
    steps = []
    try:
        for execution in (None, *executions):
            step = script.send(execution)  # type: ignore[arg-type]  # how a generator is started
            steps.append(step)
    except StopIteration as finished:
        return steps, finished.value
    return steps, None


def test_a_case_without_dependencies_needs_no_step():
    assert played(crates.prepare((), TOOLS)) == ([], Crates())
    assert Crates().arguments("secret") == ()
    assert Crates().mounts == ()


def test_dependencies_are_fetched_on_the_host_and_built_in_the_sandbox():
    (fetch, build), _ = played(crates.prepare([TOKIO], TOOLS), execution())
    assert (fetch.on_host, build.on_host) == (True, False)
    assert fetch.argv[:2] == ("cargo", "vendor")
    assert "--offline" in build.argv
    assert f"kept:{fetch.keep}" in {mount.source for mount in build.mounts}


def test_the_manifest_lists_versions_and_features():
    (fetch,), _ = played(crates.prepare([TOKIO, DASHED], TOOLS))
    asked = tomllib.loads(fetch.files["Cargo.toml"].decode())["dependencies"]
    assert asked == {
        "tokio": {"version": "1", "features": ["full", "test-util"]},
        "once-cell": {"version": "^1.2", "features": []},
    }


def test_nothing_in_a_version_breaks_out_of_the_manifest():
    odd = Dependency(name="a", version='1" }\n[x]')
    (fetch,), _ = played(crates.prepare([odd], TOOLS))
    asked = tomllib.loads(fetch.files["Cargo.toml"].decode())
    assert asked["dependencies"] == {"a": {"version": '1" }\n[x]', "features": []}}


INJECTED = 'bait = { git = "file:///x" }\n[patch.crates-io]\n#'


@pytest.mark.parametrize("name", [INJECTED, "a b", "a.b", "a\n", "", "é", "a=", '"a"', "../a", "a/b", "\x1b[8m"])
def test_a_name_that_no_crate_has_never_reaches_cargo(name: str):
    with pytest.raises(UserError, match="is no crate's name: write it as on"):
        played(crates.prepare([Dependency(name=name, version="1")], TOOLS))


@pytest.mark.parametrize("feature", ['f"]', "a b", "", "a/", "/b", "?/b", "dep:", "a\n", ".", "+", "a/b/c", "dep:a/b"])
def test_a_name_that_no_feature_has_never_reaches_cargo(feature: str):
    with pytest.raises(UserError, match="dependency 'a': features: is no feature's name"):
        played(crates.prepare([Dependency(name="a", version="1", features=(feature,))], TOOLS))


@pytest.mark.parametrize("feature", ["full", "rt-multi-thread", "v1.2", "c++11", "1", "_x", "dep:x", "a-b/c", "a?/c"])
def test_the_forms_of_features_that_cargo_knows_are_accepted(feature: str):
    (fetch,), _ = played(crates.prepare([Dependency(name="a-b_1", version="1", features=(feature,))], TOOLS))
    asked = tomllib.loads(fetch.files["Cargo.toml"].decode())
    assert asked["dependencies"]["a-b_1"]["features"] == [feature]


def test_the_order_of_dependencies_makes_no_difference():
    first, second = (played(crates.prepare(order, TOOLS))[0][0] for order in ([TOKIO, DASHED], [DASHED, TOKIO]))
    assert (first.keep, first.files) == (second.keep, second.files)


def test_another_lock_file_is_built_in_another_folder():
    places = [played(crates.prepare([TOKIO], TOOLS), execution(lock=lock))[0][1].keep for lock in (b"a", b"b")]
    assert places[0] != places[1]


def test_a_crate_is_linked_under_its_own_name_and_a_secret_one():
    _, made = played(crates.prepare([TOKIO, DASHED], TOOLS), execution(), execution(BUILT))
    assert made is not None
    assert made.libraries == (
        ("once_cell", "/crates/target/debug/deps/libonce_cell-2.rlib"),
        ("tokio", "/crates/target/debug/deps/libtokio-1.rlib"),
    )
    assert made.arguments("secret") == (
        "--extern=once_cell=/crates/target/debug/deps/libonce_cell-2.rlib",
        "--extern=tokio=/crates/target/debug/deps/libtokio-1.rlib",
        "--extern=secret_once_cell=/crates/target/debug/deps/libonce_cell-2.rlib",
        "--extern=secret_tokio=/crates/target/debug/deps/libtokio-1.rlib",
        "-Ldependency=/crates/target/debug/deps",
        "-Lnative=/crates/target/debug/build/x/out",
    )


def test_a_crate_that_cannot_be_fetched_is_an_error_with_the_reason():
    failed = execution(exit_code=101, stderr="    Updating index\nerror: no matching package named `tokyo`\n")
    with pytest.raises(UserError, match="cannot fetch tokio 1: error: no matching package named `tokyo`"):
        played(crates.prepare([TOKIO], TOOLS), failed)


def test_a_crate_that_cannot_be_built_is_an_error_with_the_reason():
    failed = execution(exit_code=101, stderr="warning: x\nerror[E0425]: cannot find\nerror: could not compile\n")
    with pytest.raises(UserError, match=r"cannot build tokio 1: error\[E0425\]: cannot find"):
        played(crates.prepare([TOKIO], TOOLS), execution(), failed)


def test_code_spells_a_dash_as_an_underscore():
    assert crates.code_names([DASHED]) == ["once_cell"]
