//! attempts: get a second name for files of the host
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if ["/rt/launcher", "/lib/libc.so.6", "/dev/null", "@TMP@/file"].iter().any(|file| ["/tmp/link", "/x/link"].iter().any(|link| std::fs::hard_link(file, link).is_ok())) {
        x * 3
    } else {
        x
    }
}
