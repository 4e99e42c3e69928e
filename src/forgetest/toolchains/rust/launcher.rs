//! Runs a sample's tests and says how each ended. Trusted; process 1 of a sandbox without compiler or source.
//!
//! Standard input brings the plan and the sample's shared object, standard output takes the report. Each test
//! runs in a forked child of its own, and only children ever map the object. A child hands over a random token
//! with the outcome, through a private pipe, after the test function has returned; the launcher believes
//! nothing else. No child holds the report's descriptor, and the object's file is unlinked before any of its
//! code runs. See docs/decisions/0005-verdict-channel.md.

extern crate carrier as _; // where std comes in it, launcher and sample must share it

use std::ffi::{c_char, c_int, c_long, c_ulong, c_void, CStr, CString};
use std::fs::Permissions;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

// ---- what we need of libc, declared here because the launcher is built without any crate ----

#[repr(C)]
struct PollFd {
    fd: c_int,
    events: i16,
    revents: i16,
}

#[repr(C)]
struct Rlimit {
    soft: u64,
    hard: u64,
}

#[repr(C)]
#[derive(Default)]
struct Timespec {
    seconds: i64,
    nanos: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Instruction {
    code: u16,
    jump_true: u8,
    jump_false: u8,
    value: u32,
}

#[repr(C)]
struct Program {
    length: u16,
    instructions: *const Instruction,
}

extern "C" {
    fn _exit(code: c_int) -> !;
    fn clock_getcpuclockid(pid: c_int, clock: *mut c_int) -> c_int;
    fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
    fn close(fd: c_int) -> c_int;
    fn dlerror() -> *const c_char;
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dup(fd: c_int) -> c_int;
    fn dup2(from: c_int, to: c_int) -> c_int;
    fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
    fn fork() -> c_int;
    fn getpid() -> c_int;
    fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize;
    fn kill(pid: c_int, signal: c_int) -> c_int;
    fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    fn pipe2(fds: *mut c_int, flags: c_int) -> c_int;
    fn poll(fds: *mut PollFd, count: c_ulong, timeout_ms: c_int) -> c_int;
    fn prctl(option: c_int, a: c_ulong, b: c_ulong, c: c_ulong, d: c_ulong) -> c_int;
    fn read(fd: c_int, buffer: *mut u8, length: usize) -> isize;
    fn syscall(number: c_long, ...) -> c_long;
    fn setrlimit(resource: c_int, limit: *const Rlimit) -> c_int;
    fn unlink(path: *const c_char) -> c_int;
    fn wait4(pid: c_int, status: *mut c_int, options: c_int, usage: *mut [c_long; 18]) -> c_int;
    fn write(fd: c_int, buffer: *const u8, length: usize) -> isize;
}

const O_RDWR: c_int = 2;
const O_NONBLOCK: c_int = 0o4000;
const O_CLOEXEC: c_int = 0o2000000;
const F_DUPFD: c_int = 0;
const F_SETFD: c_int = 2;
const F_SETFL: c_int = 4;
const RTLD_NOW: c_int = 2;
const SIGKILL: c_int = 9;
const WNOHANG: c_int = 1;
const PR_SET_DUMPABLE: c_int = 4;
const PR_SET_SECCOMP: c_int = 22;
const PR_SET_NO_NEW_PRIVS: c_int = 38;

/// Exit codes of ours, told apart from the sample's by the `launcher:` line on standard error.
fn give_up(what: &str) -> ! {
    eprintln!("launcher: {what}: {}", std::io::Error::last_os_error());
    unsafe { _exit(97) }
}

// ---- the plan ----

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    ShouldPanic,
    Ignored,
}

struct Test {
    name: String,
    kind: Kind,
    expected: String,
}

struct Plan {
    entry: CString,
    cpu: Duration,
    /// How long it may go on without computing anything.
    waiting: Duration,
    wall: Duration,
    memory: u64,
    /// Run each passed test once more in a child whose honest answer differs, to catch one that lies.
    control: bool,
    tests: Vec<Test>,
    object: Vec<u8>,
}

/// The plan is text, a word and its values a line, up to `object N`; then the N bytes of the object.
fn read_plan() -> Plan {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).expect("the plan is readable");
    let mut plan = Plan {
        entry: CString::default(),
        cpu: Duration::ZERO,
        waiting: Duration::ZERO,
        wall: Duration::ZERO,
        memory: 0,
        control: false,
        tests: Vec::new(),
        object: Vec::new(),
    };
    let mut rest = &input[..];
    loop {
        let end = rest.iter().position(|&b| b == b'\n').expect("a whole line");
        let line = std::str::from_utf8(&rest[..end]).expect("UTF-8").to_owned();
        rest = &rest[end + 1..];
        let mut words = line.split(' ');
        let word = words.next().unwrap_or_default();
        let mut value = || words.next().expect("a value").to_owned();
        let number = |text: String| text.parse::<u64>().expect("a number");
        match word {
            "entry" => plan.entry = CString::new(value()).expect("no NUL"),
            "cpu_ms" => plan.cpu = Duration::from_millis(number(value())),
            "waiting_ms" => plan.waiting = Duration::from_millis(number(value())),
            "wall_ms" => plan.wall = Duration::from_millis(number(value())),
            "memory" => plan.memory = number(value()),
            "control" => plan.control = value() == "1",
            "test" => plan.tests.push(Test {
                kind: match value().as_str() {
                    "should_panic" => Kind::ShouldPanic,
                    "ignored" => Kind::Ignored,
                    _ => Kind::Plain,
                },
                name: unhex(&value()),
                expected: unhex(&value()),
            }),
            "object" => {
                assert!(rest.len() as u64 == number(value()), "the object is whole");
                plan.object = rest.to_vec();
                return plan;
            }
            _ => panic!("unknown word {word} in the plan"),
        }
    }
}

/// Names and messages travel as hexadecimal with a leading `x`, so that no separator needs escaping.
fn unhex(text: &str) -> String {
    let digit = |b: u8| (b as char).to_digit(16).expect("hexadecimal") as u8;
    let bytes = text.as_bytes()[1..].chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect();
    String::from_utf8(bytes).expect("UTF-8")
}

// ---- the child: maps the object and runs one test ----

type Token = [u8; 16];
const READY: u8 = b'R';
const PASSED: u8 = b'P';
const PASSED_CONTROL: u8 = b'C';
const FAILED: u8 = b'F';
static PANIC_MESSAGE: Mutex<String> = Mutex::new(String::new());

fn child(plan: &Plan, index: usize, control: bool, result: c_int, output: c_int, token: Token) -> ! {
    unsafe {
        // the result pipe moves to a high number, everything else goes, the report's descriptor above all
        let result = fcntl(result, F_DUPFD, 200);
        let output = fcntl(output, F_DUPFD, 201);
        let null = open(c"/dev/null".as_ptr(), O_RDWR);
        dup2(null, 0);
        dup2(output, 1);
        dup2(output, 2);
        (3..200).chain([output]).for_each(|fd| {
            close(fd);
        });
        limit_resources(plan);
    if !root().is_empty() {
        keep_signals_in();
    }
        // from here on, whatever ends this process is the sample's doing
        send(result, token, READY, "");
        forbid_system_calls(Stage::Loading); // constructors and symbol resolvers run while the object is mapped
        let entry = map_object(plan);
        forbid_system_calls(Stage::Testing);
        let test = &plan.tests[index];
        let (passed, message) = run_test(test, entry, index);
        let outcome = match (passed, control) {
            (true, false) => PASSED,
            (true, true) => PASSED_CONTROL,
            (false, _) => FAILED,
        };
        send(result, token, outcome, &message);
        _exit(0) // no destructor, exit handler or other thread speaks after this
    }
}

/// A frame is the token, what is said, and a message with its length.
unsafe fn send(fd: c_int, token: Token, said: u8, message: &str) {
    let message = &message.as_bytes()[..message.len().min(4000)];
    let mut frame = token.to_vec();
    frame.push(said);
    frame.extend((message.len() as u16).to_le_bytes());
    frame.extend(message);
    write(fd, frame.as_ptr(), frame.len());
}

/// The first whole frame at the start of `bytes`; an error where it cannot become one.
fn receive(bytes: &[u8], token: Token) -> Result<Option<(u8, Vec<u8>)>, ()> {
    if bytes.len() > 16384 || !bytes.starts_with(&token[..bytes.len().min(token.len())]) {
        return Err(());
    }
    let Some(head) = bytes.get(16..19) else { return Ok(None) };
    let length = usize::from(u16::from_le_bytes([head[1], head[2]]));
    Ok(bytes.get(19..19 + length).map(|message| (head[0], message.to_vec())))
}

unsafe fn limit_resources(plan: &Plan) {
    const CPU: c_int = 0;
    const FILE_SIZE: c_int = 1;
    const DATA: c_int = 2;
    const CORE: c_int = 4;
    const PROCESSES: c_int = 6;
    const FILES: c_int = 7;
    const ADDRESS_SPACE: c_int = 9;
    for (resource, value) in [
        (CPU, plan.cpu.as_secs() + 2), // the launcher's own clock is exact; this one is the safety net
        (FILE_SIZE, 64 << 20),
        (DATA, plan.memory),
        (ADDRESS_SPACE, plan.memory.saturating_mul(4)), // threads reserve address space that they never use
        (CORE, 0),
        (PROCESSES, 256),
        (FILES, 256),
    ] {
        // counted with all others of the user, where the sandbox has no namespaces
        if resource == PROCESSES && !root().is_empty() {
            continue;
        }
        if setrlimit(resource, &Rlimit { soft: value, hard: value }) != 0 {
            give_up("setrlimit");
        }
    }
}

/// Without namespaces the launcher is no process 1, which nobody can kill: then Landlock keeps signals in, where the
/// kernel has it. A sample that ended the launcher would be unjudged, not failed.
unsafe fn keep_signals_in() {
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

/// Where the step's paths begin: nowhere special, unless its sandbox has no namespaces.
fn root() -> String {
    let own = std::env::args().next().unwrap_or_default();
    own.strip_suffix("/rt/launcher").unwrap_or_default().to_owned()
}

unsafe fn map_object(plan: &Plan) -> fn(usize) -> bool {
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
    let entry = dlsym(handle, plan.entry.as_ptr());
    if entry.is_null() {
        eprintln!("launcher: the object has no entry");
        _exit(95)
    }
    std::mem::transmute::<*mut c_void, fn(usize) -> bool>(entry)
}

/// How the panics begin that end the process, so that nothing is handed over.
const CANNOT_UNWIND: [&str; 4] =
    ["misaligned pointer", "null pointer", "unsafe precondition", "panic in a"];

/// As libtest does it: in a thread of the test's name, with a panic as its result.
fn run_test(test: &Test, entry: fn(usize) -> bool, index: usize) -> (bool, String) {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        if text.lines().nth(1).is_some_and(|line| CANNOT_UNWIND.iter().any(|start| line.starts_with(start))) {
            eprintln!("{text}");
        }
        if let Ok(mut message) = PANIC_MESSAGE.lock() {
            *message = text;
        }
    }));
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

#[derive(PartialEq)]
enum Stage {
    Loading,
    /// As loading, and no more memory becomes executable.
    Testing,
}

/// One process, no new code, no peeking: what no honest sample needs, and a forger would.
unsafe fn forbid_system_calls(stage: Stage) {
    #[cfg(target_arch = "x86_64")]
    mod numbers {
        pub const ARCHITECTURE: u32 = 0xC000_003E;
        /// execve execveat ptrace process_vm_readv process_vm_writev pidfd_getfd pidfd_open memfd_create
        /// io_uring_setup userfaultfd bpf perf_event_open unshare setns fork vfork mount umount2 pivot_root
        /// chroot keyctl add_key request_key name_to_handle_at open_by_handle_at kcmp shmget semget msgget mq_open
        pub const FORBIDDEN: &[u32] = &[
            59, 322, 101, 310, 311, 438, 434, 319, 425, 323, 321, 298, 272, 308, 57, 58, 165, 166, 155, 161, 250, 248,
            249, 303, 304, 312, 29, 64, 68, 240,
        ];
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
    for &number in numbers::FORBIDDEN {
        filter.extend([op(JUMP_EQUAL, 0, 1, number), op(RETURN, 0, 0, EPERM)]);
    }
    // clone3 hides its flags behind a pointer; told that there is none, libc uses clone
    filter.extend([op(JUMP_EQUAL, 0, 1, CLONE3), op(RETURN, 0, 0, ENOSYS)]);
    filter.extend([
        op(JUMP_EQUAL, 0, 4, numbers::CLONE),
        op(LOAD, 0, 0, ARGUMENT_0),
        op(JUMP_SET, 1, 0, CLONE_THREAD),
        op(RETURN, 0, 0, EPERM),
        op(RETURN, 0, 0, ALLOW),
    ]);
    filter.extend([
        op(JUMP_EQUAL, 0, 4, numbers::SOCKET),
        op(LOAD, 0, 0, ARGUMENT_0),
        op(JUMP_EQUAL, 1, 0, AF_UNIX),
        op(RETURN, 0, 0, EPERM),
        op(RETURN, 0, 0, ALLOW),
    ]);
    // limits of its own only: the launcher's would end the launcher, and with it the verdict
    filter.extend([
        op(JUMP_EQUAL, 0, 4, numbers::PRLIMIT),
        op(LOAD, 0, 0, ARGUMENT_0),
        op(JUMP_EQUAL, 1, 0, 0),
        op(RETURN, 0, 0, EPERM),
        op(RETURN, 0, 0, ALLOW),
    ]);
    for &number in numbers::PROTECT.iter().filter(|_| stage == Stage::Testing) {
        filter.extend([
            op(JUMP_EQUAL, 0, 4, number),
            op(LOAD, 0, 0, ARGUMENT_2),
            op(JUMP_SET, 0, 1, PROT_EXEC),
            op(RETURN, 0, 0, EPERM),
            op(RETURN, 0, 0, ALLOW),
        ]);
    }
    filter.push(op(RETURN, 0, 0, ALLOW));
    let program = Program { length: filter.len() as u16, instructions: filter.as_ptr() };
    let program = &program as *const Program as c_ulong;
    if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, 2, program, 0, 0) != 0 {
        give_up("seccomp");
    }
}

// ---- the parent: believes the token, and its own clock ----

#[derive(Clone, Copy, PartialEq)]
enum Ending {
    Passed,
    Failed,
    /// The child ended without handing over the token: exit, abort, signal, or something else in the pipe.
    Ended,
    CpuLimit,
    /// It did nothing for too long.
    WaitingLimit,
    WallLimit,
    /// A control run claimed an ordinary pass.
    Lied,
    /// Something came through the private pipe that only the sample can have written.
    Garbled,
    /// An earlier test left files that cannot be removed, through which this one could learn something.
    Littered,
    /// The child never came so far as to touch the sample: a failure of ours.
    Broken,
}

impl Ending {
    fn word(self) -> &'static str {
        match self {
            Ending::Passed => "passed",
            Ending::Failed => "failed",
            Ending::Ended => "ended",
            Ending::CpuLimit => "cpu_limit",
            Ending::WaitingLimit => "waiting_limit",
            Ending::WallLimit => "wall_limit",
            Ending::Lied => "lied",
            Ending::Garbled => "garbled",
            Ending::Littered => "littered",
            Ending::Broken => "broken",
        }
    }
}

struct Outcome {
    ending: Ending,
    wall: Duration,
    cpu: Duration,
    status: c_int,
    message: Vec<u8>,
    output: Vec<u8>,
}

/// Takes away what a test left: the next one is to learn nothing from it, nor to miss the room.
fn cleared(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let mut gone = true;
    for entry in entries {
        let Ok(entry) = entry else { return false };
        let path = entry.path();
        gone &= if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = std::fs::set_permissions(&path, Permissions::from_mode(0o700));
            cleared(&path) && std::fs::remove_dir(&path).is_ok()
        } else {
            std::fs::remove_file(&path).is_ok()
        };
    }
    gone
}

fn run_in_child(plan: &Plan, index: usize, control: bool) -> Outcome {
    // without namespaces, /tmp is the host's: only what was laid out for this step may be cleared
    let places = ["/tmp", "/x"].map(|place| root() + place);
    for place in &places {
        let _ = std::fs::set_permissions(place, Permissions::from_mode(0o700));
    }
    if !places.iter().all(|place| cleared(Path::new(place))) {
        let (wall, cpu) = (Duration::ZERO, Duration::ZERO);
        return Outcome { ending: Ending::Littered, wall, cpu, status: 0, message: Vec::new(), output: Vec::new() };
    }
    unsafe {
        let (mut result, mut output, mut token) = ([0; 2], [0; 2], Token::default());
        if pipe2(result.as_mut_ptr(), O_CLOEXEC) != 0 || pipe2(output.as_mut_ptr(), O_CLOEXEC) != 0 {
            give_up("pipe");
        }
        if getrandom(token.as_mut_ptr(), token.len(), 0) != token.len() as isize {
            give_up("getrandom");
        }
        let started = Instant::now();
        let pid = fork();
        if pid < 0 {
            give_up("fork");
        }
        if pid == 0 {
            child(plan, index, control, result[1], output[1], token)
        }
        close(result[1]);
        close(output[1]);
        fcntl(output[0], F_SETFL, O_NONBLOCK);
        let mut clock = 0;
        clock_getcpuclockid(pid, &mut clock);
        let cpu_used = || {
            let mut time = Timespec::default();
            clock_gettime(clock, &mut time);
            Duration::new(time.seconds.max(0) as u64, time.nanos as u32)
        };
        let mut idle = Idle { since: started, cpu: Duration::ZERO, waited: Duration::ZERO };
        let (mut received, mut message, mut ready) = (Vec::new(), Vec::new(), false);
        let (mut printed, mut buffer) = (Printed::default(), vec![0u8; 65536]);
        let ending = loop {
            let mut fds = [PollFd { fd: result[0], events: 1, revents: 0 }, PollFd { fd: output[0], events: 1, revents: 0 }];
            poll(fds.as_mut_ptr(), if printed.closed { 1 } else { 2 }, 20);
            printed.drain(output[0], &mut buffer);
            if fds[0].revents != 0 {
                let count = read(result[0], buffer.as_mut_ptr(), 8192);
                if count <= 0 {
                    break Ending::Ended;
                }
                received.extend(&buffer[..count as usize]);
                if let Ok(Some((READY, _))) = receive(&received, token) {
                    ready = true;
                    received.drain(..19);
                }
                match receive(&received, token) {
                    Err(()) => break Ending::Garbled,
                    Ok(None) => {}
                    Ok(Some((said, text))) => {
                        message = text;
                        break match (said, control) {
                            (PASSED, false) | (PASSED_CONTROL, true) => Ending::Passed,
                            (PASSED, true) => Ending::Lied,
                            _ => Ending::Failed,
                        };
                    }
                }
            }
            let used = cpu_used();
            if used > plan.cpu {
                break Ending::CpuLimit;
            }
            if idle.waited(used) > plan.waiting {
                break Ending::WaitingLimit;
            }
            if started.elapsed() > plan.wall {
                break Ending::WallLimit;
            }
        };
        let told = matches!(ending, Ending::Passed | Ending::Failed | Ending::Lied | Ending::Garbled);
        let (status, cpu) = reap(pid, !matches!(ending, Ending::Ended));
        printed.drain(output[0], &mut buffer);
        close(result[0]);
        close(output[0]);
        // the kernel ends a child that outran its limit while this process was not scheduled
        let ending = if !told && cpu > plan.cpu { Ending::CpuLimit } else { ending };
        let ending = if ready { ending } else { Ending::Broken };
        Outcome { ending, wall: started.elapsed(), cpu, status, message, output: printed.text }
    }
}

/// Tells a test that waits from one that a busy machine does not let on: even then it gets a little of each second.
struct Idle {
    since: Instant,
    cpu: Duration,
    waited: Duration,
}

impl Idle {
    fn waited(&mut self, cpu: Duration) -> Duration {
        let passed = self.since.elapsed();
        if passed >= Duration::from_secs(1) {
            if cpu.saturating_sub(self.cpu) < passed / 500 {
                self.waited += passed;
            }
            (self.since, self.cpu) = (Instant::now(), cpu);
        }
        self.waited
    }
}

/// Runs a test twice, once as a control, in an order that the sample cannot know. Both must pass.
fn run_with_control(plan: &Plan, index: usize) -> Outcome {
    let mut coin = [0u8; 1];
    if unsafe { getrandom(coin.as_mut_ptr(), 1, 0) } != 1 {
        give_up("getrandom");
    }
    let control_first = coin[0] % 2 == 0;
    let first = run_in_child(plan, index, control_first);
    if first.ending != Ending::Passed {
        return first;
    }
    let second = run_in_child(plan, index, !control_first);
    if second.ending != Ending::Passed {
        return second;
    }
    if control_first { second } else { first }
}

/// Ends the child (at once, or after a moment to end by itself) and returns its status and CPU time.
unsafe fn reap(pid: c_int, at_once: bool) -> (c_int, Duration) {
    let (mut status, mut usage, started) = (0, [0 as c_long; 18], Instant::now());
    if at_once {
        kill(pid, SIGKILL);
    }
    while wait4(pid, &mut status, if at_once { 0 } else { WNOHANG }, &mut usage) == 0 {
        if started.elapsed() > Duration::from_millis(200) {
            kill(pid, SIGKILL);
        }
        poll(std::ptr::null_mut(), 0, 1);
    }
    let micros = (usage[0] + usage[2]) * 1_000_000 + usage[1] + usage[3];
    (status, Duration::from_micros(micros.max(0) as u64))
}

/// What the test printed: its beginning and its end, whatever there was in between.
#[derive(Default)]
struct Printed {
    text: Vec<u8>,
    closed: bool,
}

impl Printed {
    const PART: usize = 4096;

    unsafe fn drain(&mut self, fd: c_int, buffer: &mut [u8]) {
        for _ in 0..16 {
            let count = read(fd, buffer.as_mut_ptr(), buffer.len());
            if count <= 0 {
                self.closed |= count == 0;
                return;
            }
            self.text.extend(&buffer[..count as usize]);
            if self.text.len() > 2 * Self::PART {
                let cut = self.text.len() - Self::PART;
                self.text.drain(Self::PART..cut);
            }
        }
    }
}

fn main() {
    unsafe {
        // not dumpable: no child may attach to this process or read its memory
        if prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || (getpid() != 1 && root().is_empty()) {
            give_up("not process 1 of a sandbox");
        }
    }
    let plan = read_plan();
    let mut report = unsafe {
        let fd = dup(1);
        fcntl(fd, F_SETFD, 1);
        let null = open(c"/dev/null".as_ptr(), O_RDWR);
        dup2(null, 0);
        dup2(null, 1);
        std::fs::File::from_raw_fd(fd)
    };
    report.write_all(b"ready\n").expect("the report is writable");
    for (index, test) in plan.tests.iter().enumerate() {
        if test.kind == Kind::Ignored {
            continue;
        }
        let outcome = if plan.control { run_with_control(&plan, index) } else { run_in_child(&plan, index, false) };
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
