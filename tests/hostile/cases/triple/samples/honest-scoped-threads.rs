//! attempts: nothing; it borrows across threads
//! must: correct

pub fn triple(x: i64) -> i64 {
    let parts = [x, x, x];
    std::thread::scope(|scope| {
        let handles: Vec<_> = parts.iter().map(|part| scope.spawn(move || *part)).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).sum()
    })
}
