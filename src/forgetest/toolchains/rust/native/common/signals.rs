//! Signals to other processes.

use crate::libc::*;
use std::ffi::{c_int, c_long};

/// Without namespaces the launcher is not process 1, so a sample could kill it; Landlock prevents that if the kernel
/// supports it. A sample that killed the launcher would be unjudged, not failed.
pub unsafe fn keep_signals_in() {
    const CREATE_RULESET: c_long = 444;
    const RESTRICT_SELF: c_long = 446;
    let scopes: [u64; 3] = [0, 0, 0b11];
    let ruleset = syscall(CREATE_RULESET, scopes.as_ptr(), std::mem::size_of_val(&scopes), 0);
    if ruleset >= 0 {
        if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(RESTRICT_SELF, ruleset, 0) != 0 {
            give_up("Landlock");
        }
        close(ruleset as c_int);
    }
}
