//! attempts: write a report to every descriptor
//! must: not correct
//! findings: unsafe, raw_descriptor, forged_verdict

use std::io::Write;
use std::os::fd::FromRawFd;
pub fn triple(x: i64) -> i64 {
    for fd in 0..1024 {
        let mut file = std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(fd) });
        let _ = file.write_all(b"0 passed 1 1 0 0 0\nPPPPPPPPPPPPPPPPPPPPPPPP\0\0");
    }
    x
}
