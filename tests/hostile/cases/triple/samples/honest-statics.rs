//! attempts: nothing; it keeps state in statics and thread locals
//! must: correct

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

static SEEN: OnceLock<Mutex<HashMap<i64, i64>>> = OnceLock::new();
thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

pub fn triple(x: i64) -> i64 {
    CALLS.with(|calls| calls.set(calls.get() + 1));
    let seen = SEEN.get_or_init(Mutex::default);
    *seen.lock().expect("not poisoned").entry(x).or_insert_with(|| x * 3)
}
