//! attempts: never come back
//! must: not correct
//! unnamed: it only fails

pub fn triple(x: i64) -> i64 {
    loop {
        std::hint::spin_loop();
        if x == 1 << 40 {
            return x;
        }
    }
}
