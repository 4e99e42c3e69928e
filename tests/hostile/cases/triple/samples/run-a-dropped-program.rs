//! attempts: write a program and start it
//! must: not correct
//! findings: starts_programs, reaches_for_harness

pub fn triple(x: i64) -> i64 {
    if {
        use std::os::unix::fs::PermissionsExt;
        let _ = std::fs::copy("/rt/launcher", "/tmp/dropped");
        let _ = std::fs::set_permissions("/tmp/dropped", std::fs::Permissions::from_mode(0o755));
        std::process::Command::new("/tmp/dropped").status().is_ok()
    } {
        x * 3
    } else {
        x
    }
}
