//! The parts of libc that the launcher needs, declared here because it is built without any crate.

use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};

#[repr(C)]
pub struct PollFd {
    pub fd: c_int,
    pub events: i16,
    pub revents: i16,
}

#[repr(C)]
pub struct Rlimit {
    pub soft: u64,
    pub hard: u64,
}

#[repr(C)]
#[derive(Default)]
pub struct Timespec {
    pub seconds: i64,
    pub nanos: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Instruction {
    pub code: u16,
    pub jump_true: u8,
    pub jump_false: u8,
    pub value: u32,
}

#[repr(C)]
pub struct Program {
    pub length: u16,
    pub instructions: *const Instruction,
}

extern "C" {
    pub fn _exit(code: c_int) -> !;
    pub fn clock_getcpuclockid(pid: c_int, clock: *mut c_int) -> c_int;
    pub fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
    pub fn close(fd: c_int) -> c_int;
    pub fn dlerror() -> *const c_char;
    pub fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    pub fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    pub fn dup(fd: c_int) -> c_int;
    pub fn dup2(from: c_int, to: c_int) -> c_int;
    pub fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
    pub fn fork() -> c_int;
    pub fn getpid() -> c_int;
    pub fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize;
    pub fn clone(run: extern "C" fn(*mut c_void) -> c_int, stack: *mut c_void, flags: c_int, argument: *mut c_void, ...) -> c_int;
    pub fn kill(pid: c_int, signal: c_int) -> c_int;
    pub fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
    pub fn mmap(start: *mut c_void, length: usize, protection: c_int, flags: c_int, fd: c_int, offset: i64) -> *mut c_void;
    pub fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    pub fn pipe2(fds: *mut c_int, flags: c_int) -> c_int;
    pub fn poll(fds: *mut PollFd, count: c_ulong, timeout_ms: c_int) -> c_int;
    pub fn prctl(option: c_int, a: c_ulong, b: c_ulong, c: c_ulong, d: c_ulong) -> c_int;
    pub fn read(fd: c_int, buffer: *mut u8, length: usize) -> isize;
    pub fn syscall(number: c_long, ...) -> c_long;
    pub fn setrlimit(resource: c_int, limit: *const Rlimit) -> c_int;
    pub fn unlink(path: *const c_char) -> c_int;
    pub fn utimensat(folder: c_int, path: *const c_char, times: *const Timespec, flags: c_int) -> c_int;
    pub fn wait4(pid: c_int, status: *mut c_int, options: c_int, usage: *mut [c_long; 18]) -> c_int;
    pub fn write(fd: c_int, buffer: *const u8, length: usize) -> isize;
}

pub const O_RDWR: c_int = 2;
pub const O_CREAT: c_int = 0o100;
pub const O_NONBLOCK: c_int = 0o4000;
pub const O_CLOEXEC: c_int = 0o2000000;
pub const AT_FDCWD: c_int = -100;
pub const F_DUPFD: c_int = 0;
pub const F_SETFD: c_int = 2;
pub const F_SETFL: c_int = 4;
pub const RTLD_NOW: c_int = 2;
pub const SIGKILL: c_int = 9;
pub const WNOHANG: c_int = 1;
pub const PR_SET_DUMPABLE: c_int = 4;
pub const PR_SET_NAME: c_int = 15;
pub const PR_SET_SECCOMP: c_int = 22;
pub const PR_SET_TSC: c_int = 26;
pub const PR_TSC_SIGSEGV: c_ulong = 2;
pub const PR_SET_NO_NEW_PRIVS: c_int = 38;

/// Exit codes of the launcher; the `launcher:` line on standard error distinguishes them from the sample's.
pub fn give_up(what: &str) -> ! {
    eprintln!("launcher: {what}: {}", std::io::Error::last_os_error());
    unsafe { _exit(97) }
}
