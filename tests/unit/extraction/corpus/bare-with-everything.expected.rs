#![allow(dead_code)]
//! A module.
use std::fmt;

/// A point.
#[derive(Debug, Clone)]
pub struct Point<'a> {
    name: &'a str,
    x: char,
}

impl<'a> fmt::Display for Point<'a>
where
    'a: 'static,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /* a { brace /* nested */ */
        write!(f, "{{ {} \" {:?}", self.name, '{')
    }
}

const RAW: &str = r#"}" fn not_me() { "#;
static mut COUNT: u32 = 0;

macro_rules! twice {
    ($e:expr) => {
        $e * 2
    };
}

thread_local! {
    static LOCAL: u32 = 1;
}

pub(crate) async unsafe fn tail() {}
