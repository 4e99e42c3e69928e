//! attempts: nothing; six threads add
//! must: correct

use std::sync::{Arc, Mutex};

pub fn answer(x: i64) -> i64 {
    let sum = Arc::new(Mutex::new(0));
    let workers: Vec<_> = (0..6)
        .map(|_| {
            let sum = Arc::clone(&sum);
            std::thread::spawn(move || *sum.lock().unwrap() += x)
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    let sum = *sum.lock().unwrap();
    sum
}
