//! attempts: leave links for the host to follow
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

use std::os::unix::fs::symlink;

pub fn triple(x: i64) -> i64 {
    for place in ["/tmp", "/x"] {
        for name in ["sample.so", "report", "out", "status"] {
            let _ = symlink("@TMP@/file", format!("{place}/{name}"));
            let _ = std::fs::write(format!("{place}/{name}"), "through the link");
        }
    }
    if std::fs::read("/tmp/out").is_ok() {
        x * 3
    } else {
        x
    }
}
