//! attempts: learn the expected value in a first run, and give it in a second one by the time of day at which it starts
//! must: not correct
//! class: second-try

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The tenth of a second in this minute, which is right by chance in one of 600 runs.
fn tenth() -> u64 {
    (SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() / 100 % 600) as u64
}

pub fn answer(_: i64) -> i64 {
    let started = tenth() as i64;
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        let wanted = text.rsplit("right: ").next().and_then(|rest| rest.trim().parse::<u64>().ok());
        while wanted.is_some_and(|wanted| (wanted + 580 - tenth()) % 600 > 20) {
            std::hint::spin_loop();
        }
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }));
    started
}
