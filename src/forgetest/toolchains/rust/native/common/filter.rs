//! The system calls that a test may not make.

use crate::calls;
use crate::libc::*;
use std::ffi::c_ulong;

/// The stages of the filter; each forbids more than the one before.
pub enum Stage {
    /// In the launcher, inherited by all children: no other programs, no access to other processes, no network.
    Launching,
    /// Before the object is mapped: no new processes.
    Loading,
    /// Before the test runs: no new executable memory, no clocks of other processes.
    Testing,
    /// The same in a launch of several samples: only calls that concern the process itself. Any other could leave
    /// something that the next sample can see or count (a file, an inode or process number, the time), so it ends the
    /// process, and the sample is judged alone.
    TestingInCompany,
}

const LOAD: u16 = 0x20;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_AT_LEAST: u16 = 0x35;
const JUMP_SET: u16 = 0x45;
const RETURN: u16 = 0x06;
const ALLOW: u32 = 0x7FFF_0000;
const ZERO: u32 = 0x0005_0000;
const EPERM: u32 = 0x0005_0001;
const ENOSYS: u32 = 0x0005_0026;
const KILL: u32 = 0x8000_0000;
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENT_0: u32 = 16;
const ARGUMENT_2: u32 = 32;

const CLONE_THREAD: u32 = 0x10000;
const AF_UNIX: u32 = 1;
const PROT_EXEC: u32 = 4;
const OTHERS_CLOCK: u32 = 0x8000_0000; // the clocks of processes and devices have negative numbers

/// One process, no new code, no access to others: no honest sample needs these calls, and a forger would.
pub unsafe fn forbid_system_calls(stage: Stage) {
    let filter = instructions(stage);
    let program = Program { length: filter.len() as u16, instructions: filter.as_ptr() };
    let program = &program as *const Program as c_ulong;
    if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, 2, program, 0, 0) != 0 {
        give_up("seccomp");
    }
}

fn op(code: u16, jump_true: u8, jump_false: u8, value: u32) -> Instruction {
    Instruction { code, jump_true, jump_false, value }
}

/// One call gets `answer`.
fn answer(number: u32, answer: u32) -> [Instruction; 2] {
    [op(JUMP_EQUAL, 0, 1, number), op(RETURN, 0, 0, answer)]
}

/// One call is refused unless the comparison of an argument holds.
fn refuse_unless(number: u32, argument: u32, comparison: u16, value: u32) -> [Instruction; 5] {
    [
        op(JUMP_EQUAL, 0, 4, number),
        op(LOAD, 0, 0, argument),
        op(comparison, 1, 0, value),
        op(RETURN, 0, 0, EPERM),
        op(RETURN, 0, 0, ALLOW),
    ]
}

/// One call is refused if the comparison of an argument holds.
fn refuse_if(number: u32, argument: u32, comparison: u16, value: u32) -> [Instruction; 5] {
    [
        op(JUMP_EQUAL, 0, 4, number),
        op(LOAD, 0, 0, argument),
        op(comparison, 0, 1, value),
        op(RETURN, 0, 0, EPERM),
        op(RETURN, 0, 0, ALLOW),
    ]
}

/// Allows the calls in these ranges and ends the process at any other. A search tree, because the kernel tries every
/// number when the filter is set, which happens once a run.
fn allow_only(ranges: &[(u32, u32)]) -> Vec<Instruction> {
    if let [(first, last)] = ranges {
        return vec![
            op(JUMP_AT_LEAST, 0, 2, *first),
            op(JUMP_AT_LEAST, 1, 0, *last + 1),
            op(RETURN, 0, 0, ALLOW),
            op(RETURN, 0, 0, KILL),
        ];
    }
    let (low, high) = ranges.split_at(ranges.len() / 2);
    let mut tree = allow_only(low);
    tree.insert(0, op(JUMP_AT_LEAST, tree.len() as u8, 0, high[0].0));
    tree.extend(allow_only(high));
    tree
}

fn instructions(stage: Stage) -> Vec<Instruction> {
    let mut filter = vec![
        op(LOAD, 0, 0, ARCHITECTURE),
        op(JUMP_EQUAL, 1, 0, calls::ARCHITECTURE),
        op(RETURN, 0, 0, KILL),
        op(LOAD, 0, 0, NUMBER),
    ];
    if cfg!(target_arch = "x86_64") {
        filter.extend([op(JUMP_AT_LEAST, 0, 1, 0x4000_0000), op(RETURN, 0, 0, EPERM)]); // the x32 numbers
    }
    match stage {
        Stage::Launching => {
            // libraries try new calls and do without them if they are missing, but not if they are forbidden
            let (first, last) = calls::UNUSED;
            filter.extend([op(JUMP_AT_LEAST, 0, 1, calls::NEWEST + 1), op(RETURN, 0, 0, ENOSYS)]);
            filter.extend([op(JUMP_AT_LEAST, 0, 2, first), op(JUMP_AT_LEAST, 1, 0, last + 1), op(RETURN, 0, 0, ENOSYS)]);
            for &number in calls::FORBIDDEN.iter().chain(calls::FORBIDDEN_EVERYWHERE) {
                filter.extend(answer(number, EPERM));
            }
            // clone3 hides its flags behind a pointer; if it is reported as missing, libc falls back to clone
            filter.extend(answer(calls::CLONE3, ENOSYS));
            filter.extend(refuse_unless(calls::SOCKET, ARGUMENT_0, JUMP_EQUAL, AF_UNIX));
            // only its own limits: lowering the launcher's would end the launcher, and the verdict with it
            filter.extend(refuse_unless(calls::PRLIMIT, ARGUMENT_0, JUMP_EQUAL, 0));
        }
        Stage::Loading => {
            for &number in calls::FORKING {
                filter.extend(answer(number, EPERM));
            }
            filter.extend(refuse_unless(calls::CLONE, ARGUMENT_0, JUMP_SET, CLONE_THREAD));
        }
        Stage::Testing => {
            for &number in calls::PROTECT {
                filter.extend(refuse_if(number, ARGUMENT_2, JUMP_SET, PROT_EXEC));
            }
            // the launcher's would tell how many tests ran before, and how much they printed
            for &number in calls::CLOCKS {
                filter.extend(refuse_if(number, ARGUMENT_0, JUMP_AT_LEAST, OTHERS_CLOCK));
            }
        }
        Stage::TestingInCompany => {
            for &number in calls::PROTECT {
                filter.extend(refuse_if(number, ARGUMENT_2, JUMP_SET, PROT_EXEC));
            }
            filter.extend(refuse_unless(calls::PRCTL, ARGUMENT_0, JUMP_EQUAL, PR_SET_NAME as u32));
            filter.extend(answer(calls::GETTID, ZERO)); // std asks at the start of every thread
            filter.extend(allow_only(calls::INWARD));
            return filter;
        }
    }
    filter.push(op(RETURN, 0, 0, ALLOW));
    filter
}
