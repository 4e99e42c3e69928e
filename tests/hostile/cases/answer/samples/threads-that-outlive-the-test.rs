//! attempts: go on in threads while the test is over, and use up what its next run needs
//! must: not correct
//! class: resources
//! note: stopped before there were controls, too: only our own code reports, and it reports what happened

pub fn answer(x: i64) -> i64 {
    for _ in 0..64 {
        let _ = std::thread::Builder::new().spawn(|| loop {
            let _ = std::fs::write(format!("/tmp/{:?}", std::thread::current().id()), vec![0u8; 1 << 16]);
        });
    }
    x
}
