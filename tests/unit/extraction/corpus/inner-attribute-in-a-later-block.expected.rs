#![allow(dead_code)]

pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

fn twice(a: i32) -> i32 {
    add(a, a)
}
