//! attempts: replace the panic hook and hope that a silent panic passes
//! must: not correct
//! findings: panic_hook

pub fn triple(x: i64) -> i64 {
    std::panic::set_hook(Box::new(|_| {}));
    x
}
