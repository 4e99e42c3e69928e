//! The system calls that a test may not make.

use crate::libc::*;
use std::ffi::c_ulong;

/// The stages of the filter; each forbids more than the one before.
pub enum Stage {
    /// In the launcher, inherited by all children: no other programs, no access to other processes, no network.
    Launching,
    /// Before the object is mapped: no new processes.
    Loading,
    /// Before the test runs: no new executable memory.
    Testing,
}

/// One process, no new code, no access to others: no honest sample needs these calls, and a forger would.
pub unsafe fn forbid_system_calls(stage: Stage) {
    #[cfg(target_arch = "x86_64")]
    mod numbers {
        pub const ARCHITECTURE: u32 = 0xC000_003E;
        /// execve execveat ptrace process_vm_readv process_vm_writev pidfd_getfd pidfd_open memfd_create
        /// io_uring_setup userfaultfd bpf perf_event_open unshare setns mount umount2 pivot_root
        /// chroot keyctl add_key request_key name_to_handle_at open_by_handle_at kcmp shmget semget msgget mq_open
        pub const FORBIDDEN: &[u32] = &[
            59, 322, 101, 310, 311, 438, 434, 319, 425, 323, 321, 298, 272, 308, 165, 166, 155, 161, 250, 248,
            249, 303, 304, 312, 29, 64, 68, 240,
        ];
        /// fork vfork
        pub const FORKING: &[u32] = &[57, 58];
        pub const CLONE: u32 = 56;
        pub const PRLIMIT: u32 = 302;
        pub const SOCKET: u32 = 41;
        /// mmap mprotect pkey_mprotect
        pub const PROTECT: &[u32] = &[9, 10, 329];
    }
    #[cfg(target_arch = "aarch64")]
    mod numbers {
        pub const ARCHITECTURE: u32 = 0xC000_00B7;
        pub const FORBIDDEN: &[u32] = &[
            221, 281, 117, 270, 271, 438, 434, 279, 425, 282, 280, 241, 97, 268, 40, 39, 41, 51, 219, 217, 218, 264,
            265, 272, 194, 190, 186, 180,
        ];
        pub const FORKING: &[u32] = &[];
        pub const CLONE: u32 = 220;
        pub const PRLIMIT: u32 = 261;
        pub const SOCKET: u32 = 198;
        pub const PROTECT: &[u32] = &[222, 226, 288];
    }
    const CLONE3: u32 = 435;
    const CLONE_THREAD: u32 = 0x10000;
    const AF_UNIX: u32 = 1;
    const PROT_EXEC: u32 = 4;
    const LOAD: u16 = 0x20;
    const JUMP_EQUAL: u16 = 0x15;
    const JUMP_AT_LEAST: u16 = 0x35;
    const JUMP_SET: u16 = 0x45;
    const RETURN: u16 = 0x06;
    const ALLOW: u32 = 0x7FFF_0000;
    const EPERM: u32 = 0x0005_0001;
    const ENOSYS: u32 = 0x0005_0026;
    const KILL: u32 = 0x8000_0000;
    const NUMBER: u32 = 0;
    const ARCHITECTURE: u32 = 4;
    const ARGUMENT_0: u32 = 16;
    const ARGUMENT_2: u32 = 32;

    let op = |code, jump_true, jump_false, value| Instruction { code, jump_true, jump_false, value };
    let mut filter = vec![
        op(LOAD, 0, 0, ARCHITECTURE),
        op(JUMP_EQUAL, 1, 0, numbers::ARCHITECTURE),
        op(RETURN, 0, 0, KILL),
        op(LOAD, 0, 0, NUMBER),
    ];
    if cfg!(target_arch = "x86_64") {
        filter.extend([op(JUMP_AT_LEAST, 0, 1, 0x4000_0000), op(RETURN, 0, 0, EPERM)]); // the x32 numbers
    }
    match stage {
        Stage::Launching => {
            for &number in numbers::FORBIDDEN {
                filter.extend([op(JUMP_EQUAL, 0, 1, number), op(RETURN, 0, 0, EPERM)]);
            }
            // clone3 hides its flags behind a pointer; if it is reported as missing, libc falls back to clone
            filter.extend([op(JUMP_EQUAL, 0, 1, CLONE3), op(RETURN, 0, 0, ENOSYS)]);
            filter.extend([
                op(JUMP_EQUAL, 0, 4, numbers::SOCKET),
                op(LOAD, 0, 0, ARGUMENT_0),
                op(JUMP_EQUAL, 1, 0, AF_UNIX),
                op(RETURN, 0, 0, EPERM),
                op(RETURN, 0, 0, ALLOW),
            ]);
            // only its own limits: lowering the launcher's would end the launcher, and the verdict with it
            filter.extend([
                op(JUMP_EQUAL, 0, 4, numbers::PRLIMIT),
                op(LOAD, 0, 0, ARGUMENT_0),
                op(JUMP_EQUAL, 1, 0, 0),
                op(RETURN, 0, 0, EPERM),
                op(RETURN, 0, 0, ALLOW),
            ]);
        }
        Stage::Loading => {
            for &number in numbers::FORKING {
                filter.extend([op(JUMP_EQUAL, 0, 1, number), op(RETURN, 0, 0, EPERM)]);
            }
            filter.extend([
                op(JUMP_EQUAL, 0, 4, numbers::CLONE),
                op(LOAD, 0, 0, ARGUMENT_0),
                op(JUMP_SET, 1, 0, CLONE_THREAD),
                op(RETURN, 0, 0, EPERM),
                op(RETURN, 0, 0, ALLOW),
            ]);
        }
        Stage::Testing => {
            for &number in numbers::PROTECT {
                filter.extend([
                    op(JUMP_EQUAL, 0, 4, number),
                    op(LOAD, 0, 0, ARGUMENT_2),
                    op(JUMP_SET, 0, 1, PROT_EXEC),
                    op(RETURN, 0, 0, EPERM),
                    op(RETURN, 0, 0, ALLOW),
                ]);
            }
        }
    }
    filter.push(op(RETURN, 0, 0, ALLOW));
    let program = Program { length: filter.len() as u16, instructions: filter.as_ptr() };
    let program = &program as *const Program as c_ulong;
    if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, 2, program, 0, 0) != 0 {
        give_up("seccomp");
    }
}
