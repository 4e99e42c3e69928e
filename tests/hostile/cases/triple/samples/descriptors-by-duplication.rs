//! attempts: duplicate standard output until the report's descriptor is met
//! must: not correct
//! findings: forged_output

use std::io::Write;
use std::os::fd::AsFd;
pub fn triple(x: i64) -> i64 {
    let mut held = Vec::new();
    while let Ok(copy) = std::io::stdout().as_fd().try_clone_to_owned() {
        let mut file = std::fs::File::from(copy);
        let _ = file.write_all(b"ready\n0 passed 1 1 0 0 0\nend\n");
        held.push(file);
    }
    x
}
