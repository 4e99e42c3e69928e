//! attempts: nothing; it prints a lot
//! must: correct

pub fn triple(x: i64) -> i64 {
    for round in 0..2_000 {
        println!("round {round} of x = {x}: {}", "=".repeat(60));
        eprintln!("still at it");
    }
    x * 3
}
