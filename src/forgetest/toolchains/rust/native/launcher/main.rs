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

#[path = "../common/calls.rs"]
mod calls;
mod child;
#[path = "../common/filter.rs"]
mod filter;
mod frame;
#[path = "../common/libc.rs"]
mod libc;
mod object;
mod parent;
mod plan;
mod private;
#[path = "../common/process.rs"]
mod process;
mod scratch;
#[path = "../common/signals.rs"]
mod signals;

use child::root;
use filter::{forbid_system_calls, Stage};
use libc::*;
use object::Object;
use plan::Run;
use private::Private;
use std::io::Write;

fn main() {
    unsafe {
        // not dumpable: no child can attach to this process or read its memory
        if prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || (getpid() != 1 && root().is_empty()) {
            give_up("not process 1 of a sandbox");
        }
    }
    settle_allocator();
    let mut plan = plan::read_plan();
    let mut report = process::take_report();
    report.write_all(b"ready\n").expect("the report is writable");
    unsafe { forbid_system_calls(Stage::Launching) };
    let private = Private::map();
    let mut object = Object::default();
    if !plan.is_shared() {
        scratch::advance_counters(64);
    }
    while let Some(part) = plan.next_run(private) {
        object.prepare(&plan, part);
        let test = Run::handed_over().test;
        parent::run_in_child(&plan, part, &object, private);
        write_record(private, &mut report).expect("the report is writable");
        plan.skip_useless(private, test);
    }
    report.write_all(b"end\n").expect("the report is writable");
}

/// When a thread first gives memory back, glibc reads a setting of the kernel from a file, and remembers it. In company,
/// the filter would take that for a file of the sample's, and the sample would be judged alone.
fn settle_allocator() {
    const LESS_THAN_MAPPED: usize = 100 << 10;
    let thread = std::thread::spawn(|| {
        let blocks: Vec<Vec<u8>> = (0..8).map(|_| Vec::with_capacity(LESS_THAN_MAPPED)).collect();
        drop(std::hint::black_box(blocks));
    });
    let _ = thread.join();
}

/// A record: a line with the run's position in the plan, what happened and the lengths of three texts; then the texts.
fn write_record(private: &mut Private, report: &mut std::fs::File) -> std::io::Result<()> {
    let outcome = &private.outcome;
    private.record_head.clear();
    writeln!(
        private.record_head,
        "{} {} {} {} {} {} {} {}",
        private.position,
        outcome.ending.word(),
        outcome.wall.as_micros(),
        outcome.cpu.as_micros(),
        outcome.status,
        outcome.message.len(),
        outcome.panic_text.len(),
        outcome.output.text.len()
    )?;
    for part in [&*private.record_head, &*outcome.message, &*outcome.panic_text, &*outcome.output.text] {
        report.write_all(part)?;
    }
    Ok(())
}
