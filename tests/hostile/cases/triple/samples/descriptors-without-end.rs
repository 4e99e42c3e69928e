//! attempts: open files until nobody can any more
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    let files: Vec<_> = (0..100_000).map_while(|_| std::fs::File::open("/dev/null").ok()).collect();
    if files.len() == 100_000 {
        x * 3
    } else {
        x
    }
}
