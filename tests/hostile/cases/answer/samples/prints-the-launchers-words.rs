//! attempts: print what the launcher reports
//! must: not correct
//! class: output
//! note: stopped before there were controls, too: only our own code reports, and it reports what happened

pub fn answer(x: i64) -> i64 {
    println!("ready\n0 returned 10 10 0 0 0 0\nend");
    eprintln!("ready\n0 returned 10 10 0 0 0 0\nend");
    x
}
