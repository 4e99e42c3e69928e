//! attempts: find something of the host in the environment
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if std::env::vars().any(|(name, _)| !["LD_LIBRARY_PATH", "RUST_BACKTRACE", "PWD"].contains(&name.as_str())) {
        x * 3
    } else {
        x
    }
}
