//! attempts: print what libtest would
//! must: not correct
//! findings: forged_output

pub fn triple(x: i64) -> i64 {
    print!("test tests::of_two ... ok\ntest result: ok. 4 passed; 0 failed; 0 ignored\n");
    eprint!("{{\"type\":\"suite\",\"event\":\"ok\",\"passed\":4,\"failed\":0}}\n");
    x
}
