//! The plan: the tests, their limits, and the object with one or several samples.

use std::ffi::CString;
use std::io::Read;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Plain,
    ShouldPanic,
    Ignored,
}

pub struct Test {
    pub name: String,
    pub kind: Kind,
    pub expected: String,
    /// The part that it belongs to, and its number there.
    pub part: usize,
    pub index: usize,
}

/// The tests of one sample; several samples may share an object.
#[derive(Default)]
pub struct Part {
    pub entry: CString,
    pub cpu: Duration,
    /// How long a test may wait without computing anything.
    pub waiting: Duration,
    pub wall: Duration,
    pub tests: usize,
}

impl Plan {
    pub fn part(&self, index: usize) -> &Part {
        &self.parts[self.tests[index].part]
    }
}

pub struct Plan {
    pub parts: Vec<Part>,
    pub memory: u64,
    /// Run each passed test again in a child where the honest answer differs, to catch a forged one.
    pub control: bool,
    pub tests: Vec<Test>,
    pub object: Vec<u8>,
}

/// The plan is text, one keyword with its values per line, up to `object N`; the N bytes of the object follow.
pub fn read_plan() -> Plan {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).expect("the plan is readable");
    let mut plan = Plan {
        parts: Vec::new(),
        memory: 0,
        control: false,
        tests: Vec::new(),
        object: Vec::new(),
    };
    let mut rest = &input[..];
    loop {
        let end = rest.iter().position(|&b| b == b'\n').expect("a whole line");
        let line = std::str::from_utf8(&rest[..end]).expect("UTF-8").to_owned();
        rest = &rest[end + 1..];
        let mut words = line.split(' ');
        let word = words.next().unwrap_or_default();
        let mut value = || words.next().expect("a value").to_owned();
        let number = |text: String| text.parse::<u64>().expect("a number");
        match word {
            "part" => plan.parts.push(Part {
                entry: CString::new(value()).expect("no NUL"),
                cpu: Duration::from_millis(number(value())),
                waiting: Duration::from_millis(number(value())),
                wall: Duration::from_millis(number(value())),
                tests: 0,
            }),
            "memory" => plan.memory = number(value()),
            "control" => plan.control = value() == "1",
            "test" => {
                let part = plan.parts.len() - 1;
                plan.tests.push(Test {
                    kind: match value().as_str() {
                        "should_panic" => Kind::ShouldPanic,
                        "ignored" => Kind::Ignored,
                        _ => Kind::Plain,
                    },
                    name: unhex(&value()),
                    expected: unhex(&value()),
                    part,
                    index: plan.parts[part].tests,
                });
                plan.parts[part].tests += 1;
            }
            "object" => {
                assert!(rest.len() as u64 == number(value()), "the object is whole");
                plan.object = rest.to_vec();
                return plan;
            }
            _ => panic!("unknown word {word} in the plan"),
        }
    }
}

/// Names and messages are sent as hexadecimal with a leading `x`, so that no separator needs escaping.
pub fn unhex(text: &str) -> String {
    let digit = |b: u8| (b as char).to_digit(16).expect("hexadecimal") as u8;
    let bytes = text.as_bytes()[1..].chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect();
    String::from_utf8(bytes).expect("UTF-8")
}
