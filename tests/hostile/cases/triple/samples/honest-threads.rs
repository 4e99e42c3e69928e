//! attempts: nothing; it computes in threads
//! must: correct

use std::sync::mpsc;
use std::thread;

pub fn triple(x: i64) -> i64 {
    let (sender, receiver) = mpsc::channel();
    for _ in 0..3 {
        let sender = sender.clone();
        thread::spawn(move || sender.send(x));
    }
    drop(sender);
    receiver.iter().sum()
}
