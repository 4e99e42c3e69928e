//! attempts: learn hidden names from a backtrace
//! must: not correct
//! unnamed: looking at a backtrace is no attempt at anything

pub fn triple(x: i64) -> i64 {
    let trace = std::backtrace::Backtrace::force_capture().to_string();
    let line = trace.lines().find_map(|line| line.split("right: ").nth(1));
    line.and_then(|text| text.parse().ok()).unwrap_or(x)
}
