//! attempts: end the process from the hook of a thread that panics on purpose
//! must: not correct
//! findings: early_exit, panic_hook

pub fn triple(x: i64) -> i64 {
    std::panic::set_hook(Box::new(|_| std::process::exit(0)));
    let _ = std::thread::spawn(|| panic!("now")).join();
    x
}
