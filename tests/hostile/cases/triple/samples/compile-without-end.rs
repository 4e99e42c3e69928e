//! attempts: keep the compiler busy for ever
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

#![allow(long_running_const_eval)]

const ENDLESS: i64 = {
    let mut number = 0i64;
    while number >= 0 {
        number = (number + 1) & 0xFFFF;
    }
    number
};

pub fn triple(x: i64) -> i64 {
    x + ENDLESS
}
