//! attempts: nothing; it panics and catches that itself
//! must: correct

use std::panic::{catch_unwind, set_hook, take_hook};

pub fn answer(x: i64) -> i64 {
    let before = take_hook();
    set_hook(Box::new(|_| {}));
    let caught = catch_unwind(|| {
        if x % 2 != 0 {
            panic!("odd: {x}");
        }
        x * 6
    });
    set_hook(before);
    caught.unwrap_or(x * 6)
}
