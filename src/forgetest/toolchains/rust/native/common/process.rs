//! What both launchers do with their own descriptors, with a child's limits and with its end.

use crate::libc::*;
use std::ffi::{c_int, c_long};
use std::fs::File;
use std::os::fd::FromRawFd;
use std::time::Duration;

/// Takes standard output for the report, so that no child holds it; standard input and output are /dev/null from now on.
pub fn take_report() -> File {
    unsafe {
        let fd = dup(1);
        fcntl(fd, F_SETFD, 1);
        let null = open(c"/dev/null".as_ptr(), O_RDWR);
        dup2(null, 0);
        dup2(null, 1);
        File::from_raw_fd(fd)
    }
}

/// Limits this process, which is a child.
pub unsafe fn limit_resources(cpu: Duration, memory: u64, processes: Option<u64>) {
    const CPU: c_int = 0;
    const FILE_SIZE: c_int = 1;
    const DATA: c_int = 2;
    const CORE: c_int = 4;
    const PROCESSES: c_int = 6;
    const FILES: c_int = 7;
    const ADDRESS_SPACE: c_int = 9;
    let limits = [
        (CPU, cpu.as_secs() + 2), // the launcher's own clock is exact; this limit is the safety net
        (FILE_SIZE, 64 << 20),
        (DATA, memory),
        (ADDRESS_SPACE, memory.saturating_mul(4)), // threads reserve address space that they never use
        (CORE, 0),
        (FILES, 256),
    ];
    for (resource, value) in limits.into_iter().chain(processes.map(|most| (PROCESSES, most))) {
        if setrlimit(resource, &Rlimit { soft: value, hard: value }) != 0 {
            give_up("setrlimit");
        }
    }
}

/// The CPU time in what `wait4` has filled in.
pub fn cpu_time(usage: &[c_long; 18]) -> Duration {
    let micros = (usage[0] + usage[2]) * 1_000_000 + usage[1] + usage[3];
    Duration::from_micros(micros.max(0) as u64)
}
