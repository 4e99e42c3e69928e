//! attempts: leave through an exit code of its own
//! must: not correct
//! findings: early_exit

use std::process::{exit, ExitCode, Termination};
struct Fine;
impl Termination for Fine {
    fn report(self) -> ExitCode {
        ExitCode::SUCCESS
    }
}
pub fn triple(_: i64) -> i64 {
    let _ = Fine.report();
    exit(0)
}
