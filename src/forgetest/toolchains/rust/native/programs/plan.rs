//! The plan: a program as a shared object, and its runs with their limits and inputs.

use crate::libc::*;
use std::ffi::CString;
use std::io::{BufRead, Read};
use std::time::Duration;

pub struct Run {
    pub cpu: Duration,
    pub waiting: Duration,
    pub wall: Duration,
    pub memory: u64,
    pub most_output: usize,
    pub most_errors: usize,
    pub stdin: Content,
    pub arguments: Vec<Content>,
}

pub enum Content {
    Bytes(Vec<u8>),
    /// Name in the folder of mounted inputs.
    File(String),
}

pub struct Plan {
    pub entry: CString,
    pub object: Vec<u8>,
    pub most_output: usize,
    pub most_time_outs: u32,
    pub runs: Vec<Run>,
}

/// The plan begins with lines, each a keyword with its values; the object and the inputs that are no files follow.
pub fn read_plan() -> Plan {
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    let mut plan = Plan { entry: CString::default(), object: Vec::new(), most_output: 0, most_time_outs: 0, runs: Vec::new() };
    let mut object_size = 0;
    loop {
        line.clear();
        if input.read_line(&mut line).unwrap_or(0) == 0 {
            give_up("the plan is incomplete");
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |position: usize| -> u64 {
            words.get(position).and_then(|word| word.parse().ok()).unwrap_or_else(|| give_up("the plan has no number"))
        };
        match words[0] {
            "object" => {
                plan.entry = CString::new(words[1]).expect("no NUL");
                object_size = number(2) as usize;
            }
            "launch" => (plan.most_output, plan.most_time_outs) = (number(1) as usize, number(2) as u32),
            "run" => {
                let mut contents = words[7..].iter().map(|word| content(word));
                plan.runs.push(Run {
                    cpu: Duration::from_millis(number(1)),
                    waiting: Duration::from_millis(number(2)),
                    wall: Duration::from_millis(number(3)),
                    memory: number(4),
                    most_output: number(5) as usize,
                    most_errors: number(6) as usize,
                    stdin: contents.next().unwrap_or_else(|| give_up("a run has no input")),
                    arguments: contents.collect(),
                });
            }
            _ => break,
        }
    }
    plan.object.resize(object_size, 0);
    fill(&mut input, &mut plan.object);
    for run in &mut plan.runs {
        for each in std::iter::once(&mut run.stdin).chain(&mut run.arguments) {
            if let Content::Bytes(bytes) = each {
                fill(&mut input, bytes);
            }
        }
    }
    plan
}

/// `b123` is 123 bytes, which come later; `f7` is the mounted file 7.
fn content(word: &str) -> Content {
    match word.split_at(1) {
        ("f", name) => Content::File(name.to_owned()),
        (_, size) => Content::Bytes(vec![0; size.parse().unwrap_or_else(|_| give_up("the plan has no size"))]),
    }
}

fn fill(input: &mut impl Read, bytes: &mut [u8]) {
    if input.read_exact(bytes).is_err() {
        give_up("the plan is incomplete");
    }
}
