//! Runs a sample's tests and reports how each ended. Trusted; process 1 of a sandbox without compiler or source.
//!
//! It reads the plan and the shared object of one or several samples from standard input, and writes the report to
//! standard output. Each test runs in a forked child of its own, and only children ever map the object. After the test
//! function has returned, a child sends a random token with the outcome through a private pipe; the launcher believes
//! nothing else. No child holds the report's descriptor, and the object's file is unlinked before any of its code
//! runs. See docs/decisions/0005-verdict-channel.md.

extern crate carrier as _; // it contains std, which launcher and sample must share

mod child;
mod filter;
mod libc;
mod parent;
mod plan;

use child::root;
use filter::{forbid_system_calls, Stage};
use libc::*;
use plan::Kind;
use std::io::Write;
use std::os::fd::FromRawFd;

fn main() {
    unsafe {
        // not dumpable: no child can attach to this process or read its memory
        if prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || (getpid() != 1 && root().is_empty()) {
            give_up("not process 1 of a sandbox");
        }
    }
    let plan = plan::read_plan();
    let mut report = unsafe {
        let fd = dup(1);
        fcntl(fd, F_SETFD, 1);
        let null = open(c"/dev/null".as_ptr(), O_RDWR);
        dup2(null, 0);
        dup2(null, 1);
        std::fs::File::from_raw_fd(fd)
    };
    report.write_all(b"ready\n").expect("the report is writable");
    unsafe { forbid_system_calls(Stage::Launching) };
    let mut stopped = None;
    for (index, test) in plan.tests.iter().enumerate() {
        // a sample that shares is judged alone after a time-out, so its remaining tests need not run
        if test.kind == Kind::Ignored || stopped == Some(test.part) {
            continue;
        }
        let outcome = if plan.control { parent::run_with_control(&plan, index) } else { parent::run_in_child(&plan, index, false) };
        if outcome.ending.is_limit() && plan.parts.len() > 1 {
            stopped = Some(test.part);
        }
        let head = format!(
            "{index} {} {} {} {} {} {}\n",
            outcome.ending.word(),
            outcome.wall.as_micros(),
            outcome.cpu.as_micros(),
            outcome.status,
            outcome.message.len(),
            outcome.output.len()
        );
        let lines = [head.as_bytes(), &outcome.message, &outcome.output].concat();
        report.write_all(&lines).expect("the report is writable");
    }
    report.write_all(b"end\n").expect("the report is writable");
}
