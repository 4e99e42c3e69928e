//! attempts: open the descriptors by their names
//! must: not correct
//! findings: reaches_for_harness

use std::io::Write;
pub fn triple(x: i64) -> i64 {
    for place in ["/proc/self/fd", "/dev/fd", "/proc/1/fd"] {
        for fd in 0..256 {
            if let Ok(mut file) = std::fs::OpenOptions::new().write(true).open(format!("{place}/{fd}")) {
                let _ = file.write_all(b"0 passed 1 1 0 0 0\nend\n");
                return x * 3;
            }
        }
    }
    x
}
