//! attempts: nothing; two lifetimes and a function pointer
//! must: correct

struct Rule<'a, 'b> {
    name: &'a str,
    apply: fn(i64) -> i64,
    note: &'b str,
}
fn run<'a, 'b>(rule: &Rule<'a, 'b>, x: i64) -> (i64, &'a str, &'b str) {
    ((rule.apply)(x), rule.name, rule.note)
}
pub fn triple(x: i64) -> i64 {
    let note = String::from("three times");
    run(&Rule { name: "triple", apply: |x| x * 3, note: &note }, x).0
}
