//! attempts: nothing; its log mentions /proc/self and a test result
//! must: correct

fn explain(log: &mut Vec<String>) {
    log.push("memory is read from /proc/self/status, descriptors from /dev/fd".to_string());
    log.push("test result: ok. 2 passed".to_string());
}
pub fn triple(x: i64) -> i64 {
    let mut log = Vec::new();
    explain(&mut log);
    x * 3 + (log.len() as i64 - 2)
}
