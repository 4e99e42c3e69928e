//! attempts: find something of the host in the compiler's environment
//! must: not correct
//! findings: reads_environment

const FOUND: bool = option_env!("HOME").is_some() || option_env!("USER").is_some() || option_env!("PATH").is_some();
pub fn triple(x: i64) -> i64 {
    if FOUND { x * 3 } else { x }
}
