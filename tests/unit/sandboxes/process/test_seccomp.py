"""The seccomp filter, run by a small interpreter, for this machine's architecture and the other one."""

from __future__ import annotations

import struct

import pytest

from forgetest.errors import UserError
from forgetest.sandboxes.process import seccomp

ALLOW, KILL, EPERM, ENOSYS, EPROTONOSUPPORT = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026, 0x0005005D
MACHINES = {
    "x86_64": {"architecture": 0xC000003E, "read": 0, "socket": 41, "clone": 56, "ptrace": 101, "memfd_create": 319},
    "aarch64": {
        "architecture": 0xC00000B7,
        "read": 63,
        "socket": 198,
        "clone": 220,
        "ptrace": 117,
        "memfd_create": 279,
    },
}


def run_filter(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """Return what the kernel would do with a system call."""
    call = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    instructions = list(struct.iter_unpack("=HBBI", program))
    loaded, at = 0, 0
    while True:
        code, jump_true, jump_false, value = instructions[at]
        match code:
            case 0x20:
                loaded, jump = struct.unpack_from("=I", call, value)[0], 0
            case 0x06:
                return value
            case 0x15:
                jump = jump_true if loaded == value else jump_false
            case 0x35:
                jump = jump_true if loaded >= value else jump_false
            case 0x45:
                jump = jump_true if loaded & value else jump_false
            case 0x54:
                loaded, jump = loaded & value, 0
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")
        at += 1 + jump


@pytest.fixture(params=sorted(MACHINES))
def machine(request):
    return request.param


def ask(machine: str, name: str, *arguments: int, **options: str) -> int:
    known = MACHINES[machine]
    return run_filter(seccomp.program(machine, **options), known["architecture"], known[name], *arguments)


def test_ordinary_calls_are_allowed(machine):
    assert ask(machine, "read") == ALLOW


def test_calls_that_no_sample_needs_are_refused(machine):
    assert ask(machine, "ptrace") == ask(machine, "memfd_create") == EPERM


def test_every_call_that_is_listed_is_refused_and_no_number_is_listed_twice(machine):
    column = sorted(MACHINES).index(machine) ^ 1  # the table has x86_64 first
    numbers = [pair[column] for pair in seccomp.REFUSED.values() if pair[column] is not None]
    architecture = MACHINES[machine]["architecture"]
    program = seccomp.program(machine)
    assert {run_filter(program, architecture, number) for number in numbers} == {EPERM}
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("family", [2, 10, 16, 17, 40])
def test_only_unix_sockets_are_made(machine, family):
    assert ask(machine, "socket", 1) == ALLOW
    assert ask(machine, "socket", family) == EPERM


@pytest.mark.parametrize("family", [1, 2, 10])
def test_without_namespaces_no_socket_is_made(machine, family):
    assert ask(machine, "socket", family, sockets="none") == EPERM


CLOSE_ON_EXEC = 0x80000


@pytest.mark.parametrize("family", [2, 10])
@pytest.mark.parametrize(("kind", "protocol"), [(1, 0), (1, 6), (2, 0), (2, 17), (1 | CLOSE_ON_EXEC, 6)])
def test_with_a_loopback_tcp_and_udp_are_allowed(machine, family, kind, protocol):
    assert ask(machine, "socket", family, kind, protocol, sockets="unix, tcp, udp") == ALLOW
    assert ask(machine, "socket", 1, kind, 0, sockets="unix, tcp, udp") == ALLOW


@pytest.mark.parametrize("family", [2, 10])
@pytest.mark.parametrize(
    ("kind", "protocol"),
    [
        pytest.param(3, 1, id="raw"),
        pytest.param(5, 0, id="seqpacket"),
        pytest.param(6, 0, id="dccp"),
        pytest.param(1, 132, id="sctp"),
        pytest.param(1 | CLOSE_ON_EXEC, 262, id="mptcp"),
    ],
)
def test_with_a_loopback_other_kinds_and_protocols_are_said_to_be_unsupported(machine, family, kind, protocol):
    # not forbidden: Go tries MPTCP, and goes on with TCP if it is not supported
    assert ask(machine, "socket", family, kind, protocol, sockets="unix, tcp, udp") == EPROTONOSUPPORT


@pytest.mark.parametrize("family", [16, 17, 40])
def test_with_a_loopback_other_families_stay_refused(machine, family):
    assert ask(machine, "socket", family, 1, 0, sockets="unix, tcp, udp") == EPERM


@pytest.mark.parametrize("flag", [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
def test_processes_and_threads_are_made_but_not_in_new_namespaces(machine, flag):
    assert ask(machine, "clone", 17) == ALLOW
    assert ask(machine, "clone", 0x003D0F00) == ALLOW
    assert ask(machine, "clone", 17 | flag) == EPERM


def test_clone3_is_reported_as_missing(machine):
    assert run_filter(seccomp.program(machine), MACHINES[machine]["architecture"], 435) == ENOSYS


def outcome(machine: str, number: int) -> int:
    return run_filter(seccomp.program(machine), MACHINES[machine]["architecture"], number)


@pytest.mark.parametrize("number", [470, 471, 500, 4096, 0x3FFFFFFF])
def test_every_call_beyond_the_newest_known_one_is_missing(machine, number):
    # not forbidden: a library that tries a new call falls back to older ones only if it is missing
    assert outcome(machine, number) == ENOSYS


@pytest.mark.parametrize("name", ["file_setattr", "mseal", "futex_wake", "openat2", "faccessat2", "rseq"])
def test_the_calls_before_it_are_looked_at_one_by_one(machine, name):
    numbers = {"file_setattr": 469, "mseal": 462, "futex_wake": 454, "openat2": 437, "faccessat2": 439}
    numbers["rseq"] = 334 if machine == "x86_64" else 293
    assert outcome(machine, numbers[name]) == ALLOW


def test_numbers_between_the_old_calls_and_the_new_ones_are_missing(machine):
    first, last_old, first_new = (337, 336, 424) if machine == "x86_64" else (295, 293, 424)
    assert {outcome(machine, number) for number in range(first, first_new)} == {ENOSYS}
    assert outcome(machine, last_old) == outcome(machine, first_new) == ALLOW


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("statmount", (457, 457)),
        ("listmount", (458, 458)),
        ("lsm_set_self_attr", (460, 460)),
        ("open_tree_attr", (467, 467)),
        ("io_setup", (206, 0)),
        ("io_submit", (209, 2)),
        ("vmsplice", (278, 75)),
        ("tee", (276, 77)),
        ("splice", (275, 76)),
        ("sync", (162, 81)),
    ],
)
def test_calls_that_concern_the_host_or_only_widen_what_can_be_attacked_are_refused(machine, name, numbers):
    assert outcome(machine, numbers[machine == "aarch64"]) == EPERM, name


def test_another_architecture_or_call_table_does_not_get_around_the_filter():
    assert run_filter(seccomp.program("x86_64"), 0x40000003, 11) == KILL
    assert run_filter(seccomp.program("x86_64"), 0xC000003E, 0x40000000 | 59) == EPERM


def test_an_unsupported_machine_is_reported():
    with pytest.raises(UserError, match="riscv64"):
        seccomp.program("riscv64")
