//! Runs a sample's tests and reports what happened in each. Trusted; process 1 of a sandbox without compiler or source.
//!
//! It reads the plan and the shared object of one or several samples from standard input, and writes the report to
//! standard output. Each run of a test is a forked child of its own, and only children ever map the object. When the
//! test function has returned or panicked, or an assertion has failed, a child sends a random token and what happened
//! through a private pipe; the launcher passes that on and believes nothing else. Whether the test has passed is decided
//! by whoever reads the report: nothing here knows how a test is expected to end. No child holds the report's
//! descriptor, and the object's file is unlinked before any of its code runs. See
//! docs/decisions/0005-verdict-channel.md.

extern crate carrier; // it contains std, which launcher and sample must share

mod child;
mod filter;
mod frame;
mod libc;
mod parent;
mod plan;

use child::root;
use filter::{forbid_system_calls, Stage};
use libc::*;
use std::collections::HashSet;
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
    let mut stopped_parts = HashSet::new();
    let mut stopped_tests = HashSet::new();
    let (mut object, mut object_part) = (Vec::new(), None);
    for (position, run) in plan.runs.iter().enumerate() {
        // the time-out of one run of a test is the test's, and a sample that shares is judged alone after a time-out
        if stopped_parts.contains(&run.part) || stopped_tests.contains(&(run.part, run.test)) {
            continue;
        }
        if object_part != Some(run.part) {
            plan.copy_object_for(run.part, &mut object);
            object_part = Some(run.part);
        }
        let outcome = parent::run_in_child(&plan, run, &object);
        if outcome.ending.is_limit() {
            stopped_tests.insert((run.part, run.test));
            if plan.parts.len() > 1 {
                stopped_parts.insert(run.part);
            }
        }
        let head = format!(
            "{position} {} {} {} {} {} {} {}\n",
            outcome.ending.word(),
            outcome.wall.as_micros(),
            outcome.cpu.as_micros(),
            outcome.status,
            outcome.message.len(),
            outcome.panic_text.len(),
            outcome.output.len()
        );
        let record = [head.as_bytes(), &outcome.message, &outcome.panic_text, &outcome.output].concat();
        report.write_all(&record).expect("the report is writable");
    }
    report.write_all(b"end\n").expect("the report is writable");
}
