//! attempts: write outside of its own folders
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if ["/", "/lib", "/usr/lib", "/etc", "/rt", "/dev", "/home", "/var/tmp", "/dev/shm", "@TMP@"].iter().any(|place| std::fs::write(format!("{place}/written"), "x").is_ok()) {
        x * 3
    } else {
        x
    }
}
