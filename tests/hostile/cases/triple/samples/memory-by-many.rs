//! attempts: allocate in many threads what one may not
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if x != 2 {
        return x; // once is enough
    }
    let hoards: Vec<_> = (0..64)
        .map_while(|_| std::thread::Builder::new().spawn(|| vec![1u8; 256 << 20]).ok())
        .collect();
    let taken: usize = hoards.into_iter().filter_map(|hoard| hoard.join().ok()).map(|hoard| hoard.len()).sum();
    if taken > 8 << 30 {
        x * 3
    } else {
        x
    }
}
