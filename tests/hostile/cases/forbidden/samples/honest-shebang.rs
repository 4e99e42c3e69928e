#!/usr/bin/env run-cargo-script
//! attempts: nothing; a script's first line
//! must: correct

pub fn triple(x: i64) -> i64 {
    x * 3
}
