//! attempts: nothing; it brings a main that leaves early
//! must: correct

use std::process;

pub fn triple(x: i64) -> i64 {
    x * 3
}

fn main() {
    if triple(2) != 6 {
        eprintln!("wrong");
        process::exit(1);
    }
    process::exit(0);
}
