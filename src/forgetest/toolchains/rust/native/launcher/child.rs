//! The child: maps the object and runs one test.

use crate::filter::{forbid_system_calls, Stage};
use crate::frame::{Channel, Token, ASSERTION_FAILED, NO_THREAD, PANICKED, READY, RETURNED, RETURNED_ERROR};
use crate::libc::*;
use crate::object::Object;
use crate::plan::{Part, Plan, Run};
use crate::process::limit_resources;
use crate::signals::keep_signals_in;
use std::ffi::{c_int, c_long};
use std::sync::{Mutex, OnceLock};

const CLOSE_RANGE: c_long = 436;
static CHANNEL: OnceLock<Channel> = OnceLock::new();
static PANIC_MESSAGE: Mutex<String> = Mutex::new(String::new());

pub fn child(plan: &Plan, part: &Part, object: &Object, result: c_int, output: c_int, token: Token) -> ! {
    unsafe {
        // move the result pipe to a high number and close everything else, above all the report's descriptor
        let result = fcntl(result, F_DUPFD, 200);
        let output = fcntl(output, F_DUPFD, 201);
        let null = open(c"/dev/null".as_ptr(), O_RDWR);
        dup2(null, 0);
        dup2(output, 1);
        dup2(output, 2);
        close(output);
        if syscall(CLOSE_RANGE, 3 as c_long, 199 as c_long, 0 as c_long) != 0 {
            (3..200).for_each(|fd| {
                close(fd);
            });
        }
        // in a sandbox without namespaces, all processes of the user count
        limit_resources(part.cpu, plan.memory, root().is_empty().then_some(256));
        if !root().is_empty() {
            keep_signals_in();
        }
        let run: &'static Run = Run::handed_over();
        let channel = CHANNEL.get_or_init(|| Channel::new(result, token));
        // from here on, whatever ends this process is the sample's doing
        channel.send(READY, "", "");
        forbid_system_calls(Stage::Loading); // constructors and symbol resolvers run while the object is mapped
        let entry = object.map(&part.entry);
        if plan.is_shared() {
            // reading the clock ends the process, where the processor can do that; the system calls end it anyway
            prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
            forbid_system_calls(Stage::TestingInCompany);
        } else {
            forbid_system_calls(Stage::Testing);
        }
        carrier::begin(run.choices(), report_failed_assertion);
        let (event, message, panic_text) = run_test(run, entry);
        channel.send(event, &message, &panic_text);
        _exit(0) // no destructor, exit handler or other thread can write after this
    }
}

/// Called by the test's own assertions, in whichever thread they fail. Ends the process, so that no code of the sample
/// ever sees the message.
fn report_failed_assertion(message: &str) -> ! {
    let panic_text = message.split_once('\n').map_or(message, |(_, text)| text);
    if let Some(channel) = CHANNEL.get() {
        channel.send(ASSERTION_FAILED, message, panic_text);
    }
    unsafe { _exit(0) }
}

/// The prefix of the step's paths: empty, unless its sandbox has no namespaces.
pub fn root() -> String {
    let own = std::env::args().next().unwrap_or_default();
    own.strip_suffix("/rt/launcher").unwrap_or_default().to_owned()
}

/// The beginnings of panic messages that end the process, so that no result can be handed over.
pub const CANNOT_UNWIND: [&str; 4] =
    ["misaligned pointer", "null pointer", "unsafe precondition", "panic in a"];

/// Runs a test as libtest does: in a thread with the test's name, catching a panic as its result. Returns what happened,
/// the message of a panic and its text alone.
pub fn run_test(run: &Run, entry: fn(usize) -> bool) -> (u8, String, String) {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        if text.lines().nth(1).is_some_and(|line| CANNOT_UNWIND.iter().any(|start| line.starts_with(start))) {
            eprintln!("{text}");
        }
        if let Ok(mut message) = PANIC_MESSAGE.lock() {
            *message = text;
        }
    }));
    let test = run.test;
    let thread = std::thread::Builder::new().name(run.name().to_owned()).spawn(move || entry(test));
    let joined = match thread {
        Err(error) => return (NO_THREAD, error.to_string(), String::new()),
        Ok(handle) => handle.join(),
    };
    match joined {
        Ok(true) => (RETURNED, String::new(), String::new()),
        Ok(false) => (RETURNED_ERROR, String::new(), String::new()),
        Err(payload) => {
            let text = payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            std::mem::forget(payload); // its Drop is the sample's code
            let message = PANIC_MESSAGE.lock().map(|message| message.clone()).unwrap_or_default();
            (PANICKED, if message.is_empty() { text.clone() } else { message }, text)
        }
    }
}
