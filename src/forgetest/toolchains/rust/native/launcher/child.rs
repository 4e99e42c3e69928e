//! The child: maps the object and runs one test.

use crate::filter::{forbid_system_calls, Stage};
use crate::libc::*;
use crate::plan::{Kind, Part, Plan, Test};
use std::ffi::{c_int, c_long, c_void, CStr, CString};
use std::sync::Mutex;

const CLOSE_RANGE: c_long = 436;
pub type Token = [u8; 16];
pub const READY: u8 = b'R';
pub const PASSED: u8 = b'P';
pub const PASSED_CONTROL: u8 = b'C';
pub const FAILED: u8 = b'F';
pub static PANIC_MESSAGE: Mutex<String> = Mutex::new(String::new());

pub fn child(plan: &Plan, index: usize, control: bool, result: c_int, output: c_int, token: Token) -> ! {
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
        limit_resources(plan.part(index), plan.memory);
        if !root().is_empty() {
            keep_signals_in();
        }
        // from here on, whatever ends this process is the sample's doing
        send(result, token, READY, "");
        forbid_system_calls(Stage::Loading); // constructors and symbol resolvers run while the object is mapped
        let entry = map_object(plan, &plan.part(index).entry);
        forbid_system_calls(Stage::Testing);
        let test = &plan.tests[index];
        let (passed, message) = run_test(test, entry);
        let outcome = match (passed, control) {
            (true, false) => PASSED,
            (true, true) => PASSED_CONTROL,
            (false, _) => FAILED,
        };
        send(result, token, outcome, &message);
        _exit(0) // no destructor, exit handler or other thread can write after this
    }
}

/// A frame: the token, the statement, and a message with its length.
pub unsafe fn send(fd: c_int, token: Token, said: u8, message: &str) {
    let message = &message.as_bytes()[..message.len().min(4000)];
    let mut frame = token.to_vec();
    frame.push(said);
    frame.extend((message.len() as u16).to_le_bytes());
    frame.extend(message);
    write(fd, frame.as_ptr(), frame.len());
}

/// Returns the first complete frame at the start of `bytes`, or an error if it cannot become one.
pub fn receive(bytes: &[u8], token: Token) -> Result<Option<(u8, Vec<u8>)>, ()> {
    if bytes.len() > 16384 || !bytes.starts_with(&token[..bytes.len().min(token.len())]) {
        return Err(());
    }
    let Some(head) = bytes.get(16..19) else { return Ok(None) };
    let length = usize::from(u16::from_le_bytes([head[1], head[2]]));
    Ok(bytes.get(19..19 + length).map(|message| (head[0], message.to_vec())))
}

pub unsafe fn limit_resources(part: &Part, memory: u64) {
    const CPU: c_int = 0;
    const FILE_SIZE: c_int = 1;
    const DATA: c_int = 2;
    const CORE: c_int = 4;
    const PROCESSES: c_int = 6;
    const FILES: c_int = 7;
    const ADDRESS_SPACE: c_int = 9;
    for (resource, value) in [
        (CPU, part.cpu.as_secs() + 2), // the launcher's own clock is exact; this limit is the safety net
        (FILE_SIZE, 64 << 20),
        (DATA, memory),
        (ADDRESS_SPACE, memory.saturating_mul(4)), // threads reserve address space that they never use
        (CORE, 0),
        (PROCESSES, 256),
        (FILES, 256),
    ] {
        // in a sandbox without namespaces, all processes of the user count
        if resource == PROCESSES && !root().is_empty() {
            continue;
        }
        if setrlimit(resource, &Rlimit { soft: value, hard: value }) != 0 {
            give_up("setrlimit");
        }
    }
}

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

/// The prefix of the step's paths: empty, unless its sandbox has no namespaces.
pub fn root() -> String {
    let own = std::env::args().next().unwrap_or_default();
    own.strip_suffix("/rt/launcher").unwrap_or_default().to_owned()
}

pub unsafe fn map_object(plan: &Plan, entry: &CStr) -> fn(usize) -> bool {
    let mut random = [0u8; 16];
    getrandom(random.as_mut_ptr(), random.len(), 0);
    let path = format!("{}/x/{:x}", root(), u128::from_ne_bytes(random));
    if std::fs::write(&path, &plan.object).is_err() {
        give_up("writing the object");
    }
    let path = CString::new(path).expect("no NUL");
    let handle = dlopen(path.as_ptr(), RTLD_NOW);
    unlink(path.as_ptr());
    if handle.is_null() {
        eprintln!("launcher: dlopen: {:?}", CStr::from_ptr(dlerror()));
        _exit(96)
    }
    let entry = dlsym(handle, entry.as_ptr());
    if entry.is_null() {
        eprintln!("launcher: the object has no entry");
        _exit(95)
    }
    std::mem::transmute::<*mut c_void, fn(usize) -> bool>(entry)
}

/// The beginnings of panic messages that end the process, so that no result can be handed over.
pub const CANNOT_UNWIND: [&str; 4] =
    ["misaligned pointer", "null pointer", "unsafe precondition", "panic in a"];

/// Runs a test as libtest does: in a thread with the test's name, catching a panic as its result.
pub fn run_test(test: &Test, entry: fn(usize) -> bool) -> (bool, String) {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        if text.lines().nth(1).is_some_and(|line| CANNOT_UNWIND.iter().any(|start| line.starts_with(start))) {
            eprintln!("{text}");
        }
        if let Ok(mut message) = PANIC_MESSAGE.lock() {
            *message = text;
        }
    }));
    let index = test.index;
    let thread = std::thread::Builder::new().name(test.name.clone()).spawn(move || entry(index));
    let joined = match thread {
        Err(error) => return (false, format!("no thread for the test: {error}")),
        Ok(handle) => handle.join(),
    };
    match joined {
        Ok(_) if test.kind == Kind::ShouldPanic => (false, "test did not panic as expected".to_owned()),
        Ok(true) => (true, String::new()),
        Ok(false) => (false, "the test returned an error".to_owned()),
        Err(payload) => {
            let text = payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| payload.downcast_ref::<String>().cloned());
            std::mem::forget(payload); // its Drop is the sample's code
            let told = PANIC_MESSAGE.lock().map(|message| message.clone()).unwrap_or_default();
            let expected = text.as_deref().unwrap_or_default().contains(&test.expected);
            let message = if told.is_empty() { text.unwrap_or_default() } else { told };
            match test.kind {
                Kind::ShouldPanic if expected => (true, String::new()),
                Kind::ShouldPanic => (false, format!("{message}\nexpected the panic to contain {:?}", test.expected)),
                _ => (false, message),
            }
        }
    }
}
