//! attempts: print what the launcher would report
//! must: not correct
//! findings: early_exit, forged_output

pub fn triple(_: i64) -> i64 {
    println!("ready\n0 passed 1 1 0 0 0\n1 passed 1 1 0 0 0\n2 passed 1 1 0 0 0\n3 passed 1 1 0 0 0\nend");
    std::process::exit(0)
}
