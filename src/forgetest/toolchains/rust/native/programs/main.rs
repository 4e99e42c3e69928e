//! Runs a program once for each input, and reports what it printed. Trusted; process 1 of a sandbox without compiler or
//! source. What a test expects is not known here.
//!
//! The plan comes on standard input: lines of text, the program as a shared object, and the inputs that are no files.
//! Each run is a forked child, and only children ever map the object. The report goes to standard output, which no child
//! holds: `ready`, a line for each run, `end`.

extern crate carrier; // it contains std, which this process and the program must share

#[allow(dead_code)]
mod calls;
#[allow(dead_code)]
mod filter;
#[allow(dead_code)]
mod libc;
mod signals;

use filter::{forbid_system_calls, Stage};
use libc::*;
use std::ffi::{c_char, c_int, c_long, c_void, CStr, CString};
use std::io::{BufRead, Read, Write};
use std::os::fd::FromRawFd;
use std::time::{Duration, Instant};

const PIECE: usize = 1 << 16;
const STARTED: u8 = b'S';
const O_RDONLY: c_int = 0;

extern "C" {
    fn chdir(path: *const c_char) -> c_int;
}

/// The process's own arguments, which a child replaces by those of its run.
static mut ARGUMENTS: *mut *const c_char = std::ptr::null_mut();

extern "C" fn keep_arguments(_: c_int, arguments: *mut *const c_char, _: *const c_void) {
    unsafe { ARGUMENTS = arguments }
}

#[used]
#[link_section = ".init_array"]
static KEEP_ARGUMENTS: extern "C" fn(c_int, *mut *const c_char, *const c_void) = keep_arguments;

struct Run {
    cpu: Duration,
    waiting: Duration,
    wall: Duration,
    memory: u64,
    most_output: usize,
    most_errors: usize,
    stdin: Content,
    arguments: Vec<Content>,
}

enum Content {
    Bytes(Vec<u8>),
    /// Name in the folder of mounted inputs.
    File(String),
}

struct Plan {
    entry: CString,
    object: Vec<u8>,
    most_output: usize,
    most_time_outs: u32,
    runs: Vec<Run>,
}

/// The folders of a step; without namespaces they are elsewhere.
struct Folders {
    work: String,
    object: String,
    inputs: String,
}

fn main() {
    if unsafe { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) } != 0 {
        give_up("prctl");
    }
    let folders = std::env::var("FOLDERS").unwrap_or_default();
    let [work, object, inputs] = folders.split(':').map(str::to_owned).collect::<Vec<_>>().try_into().unwrap_or_else(
        |_| give_up("FOLDERS does not name three folders"),
    );
    let folders = Folders { work, object, inputs };
    std::env::remove_var("FOLDERS");
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
        if !(is_cleared(&folders.work) && is_cleared(&folders.object)) {
            report.write_all(b"littered 0 0 0 - -\n").expect("the report is writable");
            break;
        }
    }
    report.write_all(b"end\n").expect("the report is writable");
}

fn read_plan() -> Plan {
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    let mut plan = Plan { entry: CString::default(), object: Vec::new(), most_output: 0, most_time_outs: 0, runs: Vec::new() };
    let mut object_size = 0;
    loop {
        line.clear();
        if input.read_line(&mut line).unwrap_or(0) == 0 {
            give_up("the plan is incomplete");
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |position: usize| -> u64 {
            words.get(position).and_then(|word| word.parse().ok()).unwrap_or_else(|| give_up("the plan has no number"))
        };
        match words[0] {
            "object" => {
                plan.entry = CString::new(words[1]).expect("no NUL");
                object_size = number(2) as usize;
            }
            "launch" => (plan.most_output, plan.most_time_outs) = (number(1) as usize, number(2) as u32),
            "run" => {
                let mut contents = words[7..].iter().map(|word| content(word));
                plan.runs.push(Run {
                    cpu: Duration::from_millis(number(1)),
                    waiting: Duration::from_millis(number(2)),
                    wall: Duration::from_millis(number(3)),
                    memory: number(4),
                    most_output: number(5) as usize,
                    most_errors: number(6) as usize,
                    stdin: contents.next().unwrap_or_else(|| give_up("a run has no input")),
                    arguments: contents.collect(),
                });
            }
            _ => break,
        }
    }
    plan.object.resize(object_size, 0);
    fill(&mut input, &mut plan.object);
    for run in &mut plan.runs {
        for each in std::iter::once(&mut run.stdin).chain(&mut run.arguments) {
            if let Content::Bytes(bytes) = each {
                fill(&mut input, bytes);
            }
        }
    }
    plan
}

/// `b123` is 123 bytes, which come later; `f7` is the mounted file 7.
fn content(word: &str) -> Content {
    match word.split_at(1) {
        ("f", name) => Content::File(name.to_owned()),
        (_, size) => Content::Bytes(vec![0; size.parse().unwrap_or_else(|_| give_up("the plan has no size"))]),
    }
}

fn fill(input: &mut impl Read, bytes: &mut [u8]) {
    if input.read_exact(bytes).is_err() {
        give_up("the plan is incomplete");
    }
}

struct Outcome {
    ending: &'static str,
    code: c_int,
    wall: Duration,
    cpu: Duration,
    output: Vec<u8>,
    errors: Vec<u8>,
}

/// A line: the ending, its code, two times in microseconds, and what was printed, in hexadecimal digits.
fn write_outcome(outcome: &Outcome, report: &mut std::fs::File) -> std::io::Result<()> {
    let Outcome { ending, code, wall, cpu, output, errors } = outcome;
    let mut line = format!("{ending} {code} {} {} ", wall.as_micros(), cpu.as_micros()).into_bytes();
    for (bytes, end) in [(output, b' '), (errors, b'\n')] {
        line.extend(b"x".iter().chain(&hexadecimal(bytes)));
        line.push(end);
    }
    report.write_all(&line)
}

fn hexadecimal(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]).collect()
}

fn run_in_child(plan: &Plan, run: &Run, most: usize, folders: &Folders) -> Outcome {
    let arguments: Vec<CString> = run.arguments.iter().enumerate().map(|(index, each)| path_of(each, index, folders)).collect();
    unsafe {
        let stdin = open_input(&run.stdin, folders);
        let (mut output, mut errors, mut status) = ([0; 2], [0; 2], [0; 2]);
        for pipe in [&mut output, &mut errors, &mut status] {
            if pipe2(pipe.as_mut_ptr(), O_CLOEXEC) != 0 {
                give_up("pipe");
            }
        }
        let started = Instant::now();
        let pid = fork();
        if pid < 0 {
            give_up("fork");
        }
        if pid == 0 {
            become_program(plan, run, [stdin, output[1], errors[1], status[1]], &arguments, folders)
        }
        for each in [stdin, output[1], errors[1], status[1]] {
            close(each);
        }
        let mut mark = 0u8;
        if read(status[0], &mut mark, 1) != 1 || mark != STARTED {
            give_up("a run could not be started");
        }
        let outcome = watch(run, pid, [output[0], errors[0], status[0]], most, started);
        for each in [output[0], errors[0], status[0]] {
            close(each);
        }
        outcome
    }
}

fn path_of(content: &Content, index: usize, folders: &Folders) -> CString {
    let path = match content {
        Content::File(name) => format!("{}/{name}", folders.inputs),
        Content::Bytes(bytes) => {
            let path = format!("{}/argument{index}", folders.work);
            if std::fs::write(&path, bytes).is_err() {
                give_up("writing an argument");
            }
            path
        }
    };
    CString::new(path).expect("no NUL")
}

/// Opens the standard input of a run: a mounted file, or one that has no name any more.
unsafe fn open_input(content: &Content, folders: &Folders) -> c_int {
    let path = match content {
        Content::File(name) => format!("{}/{name}", folders.inputs),
        Content::Bytes(bytes) => {
            let path = format!("{}/input", folders.object);
            if std::fs::write(&path, bytes).is_err() {
                give_up("writing an input");
            }
            path
        }
    };
    let name = CString::new(path).expect("no NUL");
    let fd = open(name.as_ptr(), O_RDONLY | O_CLOEXEC);
    if fd < 0 {
        give_up("opening an input");
    }
    if matches!(content, Content::Bytes(_)) {
        unlink(name.as_ptr());
    }
    fd
}

unsafe fn become_program(plan: &Plan, run: &Run, streams: [c_int; 4], arguments: &[CString], folders: &Folders) -> ! {
    const CLOSE_RANGE: c_long = 436;
    let [stdin, output, errors, status] = streams.map(|fd| fcntl(fd, F_DUPFD, 200));
    for (number, fd) in [stdin, output, errors].into_iter().enumerate() {
        dup2(fd, number as c_int);
    }
    if syscall(CLOSE_RANGE, 3 as c_long, 199 as c_long, 0 as c_long) != 0 {
        (3..200).for_each(|fd| {
            close(fd);
        });
    }
    for fd in [stdin, output, errors] {
        close(fd);
    }
    let folder = CString::new(folders.work.as_str()).expect("no NUL");
    limit_resources(run);
    if chdir(folder.as_ptr()) != 0 {
        give_up("chdir");
    }
    *ARGUMENTS = c"program".as_ptr();
    for (index, path) in arguments.iter().enumerate() {
        *ARGUMENTS.add(index + 1) = path.as_ptr();
    }
    if folders.work != "/tmp" {
        signals::keep_signals_in();
    }
    // from here on, whatever ends this process is the program's doing
    write(status, &STARTED, 1);
    close(status);
    forbid_system_calls(Stage::Loading); // constructors and symbol resolvers run while the object is mapped
    let entry = map_object(plan, folders);
    forbid_system_calls(Stage::Testing);
    std::process::exit(entry()) // prints what std has kept back
}

unsafe fn map_object(plan: &Plan, folders: &Folders) -> extern "C" fn() -> c_int {
    let path = format!("{}/program", folders.object);
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
    std::mem::transmute::<*mut c_void, extern "C" fn() -> c_int>(entry)
}

unsafe fn limit_resources(run: &Run) {
    const CPU: c_int = 0;
    const FILE_SIZE: c_int = 1;
    const DATA: c_int = 2;
    const CORE: c_int = 4;
    const FILES: c_int = 7;
    const ADDRESS_SPACE: c_int = 9;
    for (resource, value) in [
        (CPU, run.cpu.as_secs() + 2), // the launcher's own clock is exact; this limit is the safety net
        (FILE_SIZE, 64 << 20),
        (DATA, run.memory),
        (ADDRESS_SPACE, run.memory.saturating_mul(4)), // threads reserve address space that they never use
        (CORE, 0),
        (FILES, 256),
    ] {
        if setrlimit(resource, &Rlimit { soft: value, hard: value }) != 0 {
            give_up("setrlimit");
        }
    }
}

/// Waits for the end of a run, or until it reaches a limit.
unsafe fn watch(run: &Run, pid: c_int, pipes: [c_int; 3], most: usize, started: Instant) -> Outcome {
    let [output_pipe, errors_pipe, _] = pipes;
    let mut clock = 0;
    clock_getcpuclockid(pid, &mut clock);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut open_pipes = [output_pipe, errors_pipe];
    let (mut seen, mut seen_cpu, mut waited) = (started, Duration::ZERO, Duration::ZERO);
    let (mut status, mut usage) = (0, [0 as c_long; 18]);
    let mut has_ended = false;
    for pipe in open_pipes {
        fcntl(pipe, F_SETFL, O_NONBLOCK);
    }
    let limit = loop {
        let mut fds = open_pipes.map(|fd| PollFd { fd, events: 1, revents: 0 });
        // without open pipes this only waits a moment for the end
        poll(fds.as_mut_ptr(), 2, if open_pipes == [-1, -1] { 1 } else { 10 });
        for (index, kept) in [&mut output, &mut errors].into_iter().enumerate() {
            if open_pipes[index] >= 0 && !drain(open_pipes[index], kept, most) {
                open_pipes[index] = -1;
            }
        }
        keep_end(&mut errors, run.most_errors);
        if output.len() > most {
            break Some("output_limit");
        }
        if wait4(pid, &mut status, WNOHANG, &mut usage) == pid {
            has_ended = true;
            break None;
        }
        let mut time = Timespec::default();
        clock_gettime(clock, &mut time);
        let used = Duration::new(time.seconds.max(0) as u64, time.nanos as u32);
        if used >= run.cpu {
            break Some("cpu_limit");
        }
        // on a busy machine, a process that only waits for its turn still gets some of the CPU
        if seen.elapsed() >= Duration::from_millis(250) {
            let idle = used.saturating_sub(seen_cpu) < Duration::from_millis(1);
            waited = if idle { waited + seen.elapsed() } else { Duration::ZERO };
            (seen, seen_cpu) = (Instant::now(), used);
        }
        if waited >= run.waiting || started.elapsed() >= run.wall {
            break Some("wall_limit");
        }
    };
    if !has_ended {
        kill(pid, SIGKILL);
        wait4(pid, &mut status, 0, &mut usage);
    }
    drain(output_pipe, &mut output, most);
    drain(errors_pipe, &mut errors, most);
    keep_end(&mut errors, run.most_errors);
    let micros = (usage[0] + usage[2]) * 1_000_000 + usage[1] + usage[3];
    let cpu = Duration::from_micros(micros.max(0) as u64);
    let signal = status & 0x7f;
    let ending = match limit {
        Some(limit) => limit,
        None if output.len() > most => "output_limit",
        // the kernel ends a run that overran its limit while this process was not scheduled
        None if cpu > run.cpu + Duration::from_secs(1) => "cpu_limit",
        None if signal != 0 => "signalled",
        None => "exited",
    };
    output.truncate(most);
    let code = if signal != 0 { signal } else { status >> 8 & 0xff };
    Outcome { ending, code, wall: started.elapsed(), cpu, output, errors }
}

/// Reads what there is, up to a piece more than `most`; false where the pipe is closed.
unsafe fn drain(pipe: c_int, kept: &mut Vec<u8>, most: usize) -> bool {
    while kept.len() <= most {
        let length = kept.len();
        kept.resize(length + PIECE, 0);
        let count = read(pipe, kept.as_mut_ptr().add(length), PIECE);
        kept.truncate(length + count.max(0) as usize);
        if count <= 0 {
            return count < 0;
        }
    }
    true
}

fn keep_end(kept: &mut Vec<u8>, most: usize) {
    if kept.len() > most {
        kept.drain(..kept.len() - most);
    }
}

/// Removes everything in a folder; false where something cannot be removed.
fn is_cleared(folder: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().all(|entry| {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => std::fs::remove_dir_all(&path).is_ok(),
            _ => std::fs::remove_file(&path).is_ok(),
        }
    })
}
