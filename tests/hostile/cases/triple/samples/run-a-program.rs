//! attempts: start another program
//! must: not correct
//! findings: starts_programs, reaches_for_harness

pub fn triple(x: i64) -> i64 {
    if ["/bin/sh", "/usr/bin/env", "/rt/launcher", "/proc/self/exe"].iter().any(|program| std::process::Command::new(program).arg("-c").arg("true").status().is_ok()) {
        x * 3
    } else {
        x
    }
}
