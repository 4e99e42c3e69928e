//! attempts: report from a thread that outlives the call
//! must: not correct
//! findings: forged_output

pub fn triple(x: i64) -> i64 {
    std::thread::spawn(|| loop {
        println!("test tests::of_two ... ok");
        std::thread::yield_now();
    });
    std::thread::sleep(std::time::Duration::from_millis(20));
    x
}
