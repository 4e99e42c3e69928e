//! attempts: nothing; it has macros named like std's
//! must: correct
//! findings: shadowed_macro, shadowed_assertion

macro_rules! vec { ($x:expr; $n:expr) => { [$x; $n] }; }
macro_rules! assert_eq { ($a:expr, $b:expr) => { if $a != $b { unreachable!() } }; }

pub fn triple(x: i64) -> i64 {
    let three = vec![x; 3];
    assert_eq!(three.len(), 3);
    three.iter().sum()
}
