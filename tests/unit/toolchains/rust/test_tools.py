"""Locating the Rust tools from the output of the script."""

from __future__ import annotations

import pytest

from forgetest.errors import MachineryError, UserError
from forgetest.toolchains.host_tools import library_sources
from forgetest.toolchains.rust import tools
from forgetest.verdict import Execution, Mount, Step

OUTPUT = """\
sysroot=/opt/rust
release=1.95.0
host=x86_64-unknown-linux-gnu
version=rustc 1.95.0 (abc 2026-04-14)
version=clippy 0.1.95
linker=/opt/rust/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld
library=linux-vdso.so.1 (0x00007ffd)
library=libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)
library=librustc_driver-0123.so => /opt/rust/bin/../lib/librustc_driver-0123.so (0x00007f)
library=libmissing.so => not found
library=/lib64/ld-linux-x86-64.so.2 (0x00007f)
library=libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0)
"""


def script_output(text: str = OUTPUT, exit_code: int = 0) -> Execution:
    return Execution(step="locate", ended="exited", exit_code=exit_code, stdout=text.encode(), stderr=b"why\n")


def located(execution: Execution, collected: Execution | None = None) -> tools.Tools:
    """What comes out when LOCATE says so, and copying the libraries goes well."""
    script = tools.locate()
    assert next(script) is tools.LOCATE
    step = script.send(execution)
    assert step.on_host
    assert step.keep
    with pytest.raises(StopIteration) as finished:
        script.send(collected or Execution(step=step.name, ended="exited", exit_code=0))
    found: tools.Tools = finished.value.value
    return found


def collecting(text: str = OUTPUT) -> Step:
    """The step that copies libraries."""
    script = tools.locate()
    next(script)
    return script.send(script_output(text))


def test_the_located_tools_are_read():
    found = located(script_output())
    assert found.version == "rustc 1.95.0 (abc 2026-04-14); clippy 0.1.95"
    assert (found.sysroot, found.host) == ("/opt/rust", "x86_64-unknown-linux-gnu")


def test_libraries_have_the_names_that_loader_and_linker_look_for():
    assert library_sources([line[8:] for line in OUTPUT.splitlines() if line.startswith("library=")]) == {
        "/lib/libc.so.6": "/lib/x86_64-linux-gnu/libc.so.6",
        "/lib/libc.so": "/lib/x86_64-linux-gnu/libc.so.6",
        "/lib/libm.so.6": "/lib/x86_64-linux-gnu/libm.so.6",
        "/lib/libm.so": "/lib/x86_64-linux-gnu/libm.so.6",
        "/lib/librustc_driver-0123.so": "/opt/rust/lib/librustc_driver-0123.so",
        "/lib64/ld-linux-x86-64.so.2": "/lib64/ld-linux-x86-64.so.2",
    }


def test_libraries_of_the_system_are_copied_and_those_of_the_compiler_are_mounted():
    words = collecting().argv[-1].splitlines()
    assert "cp -L /lib/x86_64-linux-gnu/libc.so.6 compile/libc.so" in words
    assert ": >compile/librustc_driver-0123.so" in words
    own = Mount(source="/opt/rust/lib/librustc_driver-0123.so", target="/lib/librustc_driver-0123.so")
    targets = [mount.target for mount in located(script_output()).mounts]
    assert own in located(script_output()).mounts
    assert targets.index("/lib") < targets.index(own.target)


def test_running_a_sample_sees_no_library_of_the_compiler():
    copied = {line.rsplit("run/", 1)[1] for line in collecting().argv[-1].splitlines() if " run/" in line}
    assert copied == {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
    mounts = {mount.target: mount.source.split("/", 1)[1] for mount in located(script_output()).run_libraries}
    assert mounts == {"/lib": "run", "/lib64/ld-linux-x86-64.so.2": "run/ld-linux-x86-64.so.2"}


def test_a_loader_among_the_libraries_needs_no_mount_of_its_own():
    found = located(script_output(OUTPUT.replace("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")))
    assert [mount.target for mount in found.run_libraries] == ["/lib"]


def test_libraries_that_were_replaced_on_the_system_are_copied_again():
    one, two = (collecting(f"{OUTPUT}stamp=/lib/x86_64-linux-gnu/libc.so.6 {size} 1700000000\n") for size in (1, 2))
    assert one.keep != two.keep


def test_libraries_that_cannot_be_copied_are_a_failure_of_the_machine():
    script = tools.locate()
    next(script)
    script.send(script_output())
    with pytest.raises(MachineryError, match="could not be copied"):
        script.send(Execution(step="collect", ended="exited", exit_code=1, stderr=b"no room"))


def test_compiling_sees_compilers_standard_library_and_libraries_and_no_more():
    found = located(script_output())
    targets = {mount.target for mount in found.mounts}
    assert {"/tc/bin/rustc", "/tc/bin/clippy-driver"} <= targets
    assert f"/tc/lib/rustlib/{found.host}" in targets
    assert not {"/", "/usr", "/home", "/etc", "/proc"} & targets


@pytest.mark.parametrize(
    ("release", "text"), [("1.84.1", "rustc 1.84.1 is too old, 1.85 or later"), ("1.9.0", "too old")]
)
def test_the_error_for_an_old_compiler_says_what_to_do(release: str, text: str):
    with pytest.raises(UserError, match=f"{text}.*rustup toolchain install"):
        located(script_output(OUTPUT.replace("release=1.95.0", f"release={release}")))


@pytest.mark.parametrize("release", ["1.85.0", "2.0.0", "1.97.0-nightly", "1.100.0"])
def test_a_newer_compiler_is_accepted(release: str):
    assert located(script_output(OUTPUT.replace("release=1.95.0", f"release={release}")))


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("missing=rustc\n", "no Rust compiler was found: .*rustup toolchain install"),
        ("release=1.95.0\nmissing=/opt/rust/bin/clippy-driver\n", "clippy-driver was not found .*--component clippy"),
        ("release=1.95.0\nmissing=cc\n", "cc was not found .*install a C compiler"),
        ("closed=/opt/rust/bin\nmissing=rustc\n", "^/opt/rust/bin: .* not be read by this user: .*chmod -R a.rX"),
        ("release=1.95.0\nclosed=/opt/rust/lib/rustlib\n", "^/opt/rust/lib/rustlib: .*not be read by this user"),
    ],
)
def test_the_error_for_a_missing_tool_says_what_to_install(lines: str, text: str):
    with pytest.raises(UserError, match=text):
        located(script_output(lines))


def test_a_compiler_that_cannot_print_its_version_is_a_failure_of_the_machine():
    with pytest.raises(MachineryError, match="why"):
        located(script_output(exit_code=1))


@pytest.mark.parametrize(
    "stderr",
    ["error: could not read /opt/rust: Permission denied", "rustc: librustc_driver.so: cannot open shared object"],
)
def test_the_error_for_an_unreadable_compiler_says_what_to_do(stderr: str):
    execution = Execution(step="locate the Rust tools", ended="exited", exit_code=1, stderr=stderr.encode())
    with pytest.raises(UserError, match=f"{stderr}.*chmod -R a.rX"):
        located(execution)


def test_trusted_code_is_built_without_network_and_home():
    step = tools.preparation_step(located(script_output()), name="n", argv=("sh",), files={}, keep="k")
    targets = {mount.target for mount in step.mounts}
    assert not step.on_host
    assert not {"/home", "/root", "/etc"} & targets
    assert Mount(source="/opt/rust", target="/toolchain") in step.mounts
