use std::fmt;

pub fn show(n: i32) -> String {
    let mut out = String::new();
    for i in 0..n {
        out.push
