//! attempts: nothing; it needs alloc only
//! must: correct

#![no_std]
extern crate alloc;
use alloc::string::String;

pub fn shout(text: &str) -> String {
    let mut loud: String = text.chars().flat_map(char::to_uppercase).collect();
    loud.push('!');
    loud
}
