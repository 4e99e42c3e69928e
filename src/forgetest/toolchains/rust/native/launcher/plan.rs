//! The plan: the runs, their limits, and the object with one or several samples.
//!
//! A run is one test in one process, with its choices. The plan says neither what kind of test it is nor how it should
//! end, so a sample that reads this process's memory learns nothing that decides.

use std::ffi::CString;
use std::io::Read;
use std::ops::Range;
use std::time::Duration;

pub struct Run {
    /// The part that it belongs to, and the test's number there.
    pub part: usize,
    pub test: usize,
    /// The name of the thread that runs the test.
    pub name: String,
    /// For `carrier::begin`.
    pub choices: Vec<u8>,
}

/// The limits and the entry point of one sample; several samples may share an object.
pub struct Part {
    pub entry: CString,
    pub cpu: Duration,
    /// How long a test may wait without computing anything.
    pub waiting: Duration,
    pub wall: Duration,
    /// Where its code is in the object. The tests of other parts run without it.
    pub code: Vec<Range<usize>>,
}

#[derive(Default)]
pub struct Plan {
    pub parts: Vec<Part>,
    pub memory: u64,
    pub runs: Vec<Run>,
    pub object: Vec<u8>,
}

/// A byte that ends the process wherever in a function it is executed.
const TRAP: u8 = if cfg!(target_arch = "x86_64") { 0xCC } else { 0 };

impl Plan {
    /// Puts the object into `copy`, with traps in place of the other parts' code.
    pub fn copy_object_for(&self, part: usize, copy: &mut Vec<u8>) {
        copy.clear();
        copy.extend_from_slice(&self.object);
        let others = self.parts.iter().enumerate().filter(|&(other, _)| other != part);
        others.flat_map(|(_, other)| &other.code).for_each(|code| copy[code.clone()].fill(TRAP));
    }
}

/// The plan is text, one keyword with its values per line, up to `object N`; the N bytes of the object follow.
pub fn read_plan() -> Plan {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).expect("the plan is readable");
    let mut plan = Plan::default();
    let mut rest = &input[..];
    loop {
        let end = rest.iter().position(|&b| b == b'\n').expect("a whole line");
        let line = std::str::from_utf8(&rest[..end]).expect("UTF-8").to_owned();
        rest = &rest[end + 1..];
        let mut words = line.split(' ');
        let keyword = words.next().unwrap_or_default();
        let mut value = || words.next().expect("a value").to_owned();
        let number = |text: String| text.parse::<u64>().expect("a number");
        match keyword {
            "memory" => plan.memory = number(value()),
            "part" => plan.parts.push(Part {
                entry: CString::new(value()).expect("no NUL"),
                cpu: Duration::from_millis(number(value())),
                waiting: Duration::from_millis(number(value())),
                wall: Duration::from_millis(number(value())),
                code: Vec::new(),
            }),
            "code" => {
                let start = number(value()) as usize;
                let end = start + number(value()) as usize;
                plan.parts.last_mut().expect("a part").code.push(start..end);
            }
            "run" => plan.runs.push(Run {
                part: plan.parts.len() - 1,
                test: number(value()) as usize,
                name: String::from_utf8(decode_hex(&value())).expect("UTF-8"),
                choices: decode_hex(&value()),
            }),
            "object" => {
                assert!(rest.len() as u64 == number(value()), "the object is whole");
                plan.object = rest.to_vec();
                return plan;
            }
            _ => panic!("unknown keyword {keyword} in the plan"),
        }
    }
}

/// Names and choices are sent as hexadecimal with a leading `x`, so that no separator needs escaping.
pub fn decode_hex(text: &str) -> Vec<u8> {
    let digit = |b: u8| (b as char).to_digit(16).expect("hexadecimal") as u8;
    text.as_bytes()[1..].chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
