//! Runs a program once for each input, and reports what it printed. Trusted; process 1 of a sandbox without compiler or
//! source. What a test expects is not known here.
//!
//! The plan comes on standard input: lines of text, the program as a shared object, and the inputs that are no files.
//! Each run is a forked child, and only children ever map the object. The report goes to standard output, which no child
//! holds: `ready`, a line for each run, `end`.

extern crate carrier; // it contains std, which this process and the program must share

#[allow(dead_code)]
#[path = "../common/calls.rs"]
mod calls;
mod child;
#[allow(dead_code)]
#[path = "../common/filter.rs"]
mod filter;
mod folders;
#[allow(dead_code)]
#[path = "../common/libc.rs"]
mod libc;
mod plan;
#[path = "../common/process.rs"]
mod process;
#[path = "../common/signals.rs"]
mod signals;
mod watch;

use child::run_in_child;
use filter::{forbid_system_calls, Stage};
use folders::Folders;
use libc::*;
use std::io::Write;
use watch::write_outcome;

fn main() {
    if unsafe { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) } != 0 {
        give_up("prctl");
    }
    let folders = Folders::take_from_environment();
    let plan = plan::read_plan();
    let mut report = process::take_report();
    report.write_all(b"ready\n").expect("the report is writable");
    unsafe { forbid_system_calls(Stage::Launching) };
    let (mut left, mut time_outs) = (plan.most_output, 0);
    for run in &plan.runs {
        if time_outs >= plan.most_time_outs {
            break;
        }
        let outcome = run_in_child(&plan, run, left.min(run.most_output), &folders);
        left -= outcome.output.len();
        time_outs += matches!(outcome.ending, "cpu_limit" | "wall_limit") as u32;
        write_outcome(&outcome, &mut report).expect("the report is writable");
        if !folders.clear() {
            report.write_all(b"littered 0 0 0 - -\n").expect("the report is writable");
            break;
        }
    }
    report.write_all(b"end\n").expect("the report is writable");
}
