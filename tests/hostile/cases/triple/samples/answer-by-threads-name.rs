//! attempts: answer by the name of the test
//! must: not correct
//! unnamed: a sample may know its thread's name

pub fn triple(x: i64) -> i64 {
    match std::thread::current().name() {
        Some("tests::of_two") => 6,
        Some("tests::as_text") => 15,
        _ => x,
    }
}
