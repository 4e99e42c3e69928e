//! attempts: wait for what never comes
//! must: not correct
//! unnamed: it only fails

pub fn triple(x: i64) -> i64 {
    if x == 2 {
        std::thread::park();
    }
    x
}
