//! A run: a forked child that maps the object and becomes the program.

use crate::filter::{forbid_system_calls, Stage};
use crate::folders::{open_input, path_of, Folders};
use crate::libc::*;
use crate::plan::{Plan, Run};
use crate::process::limit_resources;
use crate::signals;
use crate::watch::{watch, Outcome};
use std::ffi::{c_char, c_int, c_long, c_void, CStr, CString};
use std::time::Instant;

const STARTED: u8 = b'S';

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

pub fn run_in_child(plan: &Plan, run: &Run, most: usize, folders: &Folders) -> Outcome {
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
    limit_resources(run.cpu, run.memory, None);
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
