//! attempts: read files of the host
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if ["/etc/passwd", "/etc/hostname", "/root", "/home", "/usr/bin/env", "/var", "/sys", "/w", "/tc"].iter().any(|path| std::fs::metadata(path).is_ok()) {
        x * 3
    } else {
        x
    }
}
