//! attempts: keep the failing thread busy in the panic hook
//! must: not correct
//! findings: panic_hook

pub fn triple(x: i64) -> i64 {
    std::panic::set_hook(Box::new(|_| loop {
        std::hint::spin_loop();
    }));
    x
}
