//! The plan: the runs, their limits, and the object with one or several samples.
//!
//! A run is one test in one process, with its choices. The plan does not say what kind of test it is. It stays in private
//! memory: a child is handed its own run and nothing of the others, and not whether its run is decisive.

use crate::libc::*;
use crate::parent::Ending;
use crate::private::{map_private, wipe, Private};
use std::ffi::CString;
use std::ops::Range;
use std::time::Duration;

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

pub struct Plan {
    pub parts: Vec<Part>,
    pub memory: u64,
    /// Both in private memory.
    lines: &'static mut [u8],
    pub object: &'static [u8],
}

/// The run that a child makes.
pub struct Run {
    /// The test's number in its part.
    pub test: usize,
    name_length: usize,
    choices_length: usize,
    /// The name of the thread that runs the test, and what `carrier::begin` is given.
    texts: [u8; 64 << 10],
}

/// The run that is about to be forked. It is wiped in the launcher afterwards.
static mut HANDED_OVER: Run = Run { test: 0, name_length: 0, choices_length: 0, texts: [0; 64 << 10] };

impl Run {
    pub fn handed_over() -> &'static mut Self {
        unsafe { &mut *std::ptr::addr_of_mut!(HANDED_OVER) }
    }

    pub fn name(&self) -> &str {
        std::str::from_utf8(&self.texts[..self.name_length]).expect("UTF-8")
    }

    pub fn choices(&self) -> &[u8] {
        &self.texts[self.name_length..self.name_length + self.choices_length]
    }

    pub fn wipe(&mut self) {
        wipe(&mut self.texts[..self.name_length + self.choices_length]);
        (self.test, self.name_length, self.choices_length) = (0, 0, 0);
    }
}

impl Plan {
    pub fn is_shared(&self) -> bool {
        self.parts.len() > 1
    }

    /// Hands over the next run that is not to be skipped, and returns its part.
    #[inline(never)]
    pub fn next_run(&self, private: &mut Private) -> Option<usize> {
        while let Some(line) = line_at(self.lines, private.cursor) {
            private.cursor = line.end + 1;
            let mut words = self.lines[line].split(|&byte| byte == b' ');
            match words.next() {
                Some(b"part") => private.parts_begun += 1,
                Some(b"off") => private.next_position += 1,
                Some(b"run") => {
                    private.position = private.next_position;
                    private.next_position += 1;
                    let run = Run::handed_over();
                    run.test = number(words.next()) as usize;
                    run.name_length = decode_hex(words.next(), &mut run.texts);
                    run.choices_length = decode_hex(words.next(), &mut run.texts[run.name_length..]);
                    private.is_decisive = words.next() == Some(b"decisive");
                    return Some(private.parts_begun - 1);
                }
                _ => {}
            }
        }
        None
    }

    /// Skips runs of the current part that are of no use after the outcome of this run of a test.
    ///
    /// After a time-out, the further runs of the test: the time-out of one run is the test's. A sample that shares is
    /// judged alone then, so all its further runs are skipped. After a decisive run that did not return, too, the
    /// further runs of the test: it has failed, whatever they say.
    pub fn skip_useless(&mut self, private: &Private, test: usize) {
        let ending = private.outcome.ending;
        let all = ending.is_limit() && self.is_shared();
        if !ending.is_limit() && (!private.is_decisive || ending == Ending::Returned) {
            return;
        }
        let mut at = private.cursor;
        while let Some(line) = line_at(self.lines, at) {
            at = line.end + 1;
            if self.lines[line.clone()].starts_with(b"part ") {
                return;
            }
            let mut words = self.lines[line.clone()].split(|&byte| byte == b' ');
            if words.next() == Some(b"run") && (all || number(words.next()) as usize == test) {
                self.lines[line.start..line.start + 3].copy_from_slice(b"off");
            }
        }
    }
}

/// The plan begins with a line `input N`; N bytes follow. They are lines, each a keyword with its values, up to `object
/// N`; the N bytes of the object follow.
pub fn read_plan() -> Plan {
    let input = read_input();
    let mut parts: Vec<Part> = Vec::new();
    let (mut memory, mut at) = (0, 0);
    loop {
        let line = line_at(input, at).expect("a whole line");
        at = line.end + 1;
        let mut words = input[line.clone()].split(|&byte| byte == b' ');
        match words.next() {
            Some(b"memory") => memory = number(words.next()),
            Some(b"part") => parts.push(Part {
                entry: CString::new(words.next().expect("a value")).expect("no NUL"),
                cpu: Duration::from_millis(number(words.next())),
                waiting: Duration::from_millis(number(words.next())),
                wall: Duration::from_millis(number(words.next())),
                code: Vec::new(),
            }),
            Some(b"code") => {
                let start = number(words.next()) as usize;
                let end = start + number(words.next()) as usize;
                parts.last_mut().expect("a part").code.push(start..end);
            }
            Some(b"run") => {}
            Some(b"object") => {
                let size = number(words.next()) as usize;
                let (lines, object) = input.split_at_mut(at);
                assert!(object.len() == size, "the object is whole");
                return Plan { parts, memory, lines, object };
            }
            _ => panic!("unknown keyword in the plan"),
        }
    }
}

/// Reads standard input into private memory.
fn read_input() -> &'static mut [u8] {
    let mut head = [0u8; 32];
    let mut length = 0;
    while !head[..length].contains(&b'\n') {
        // byte by byte, so that nothing of the plan is read into other memory
        if length == head.len() || unsafe { read(0, head[length..].as_mut_ptr(), 1) } != 1 {
            give_up("the plan's size");
        }
        length += 1;
    }
    let size = number(head[..length - 1].strip_prefix(b"input ")) as usize;
    let input = unsafe { std::slice::from_raw_parts_mut(map_private(size), size) };
    let mut filled = 0;
    while filled < size {
        let count = unsafe { read(0, input[filled..].as_mut_ptr(), size - filled) };
        if count <= 0 {
            give_up("the plan ends early");
        }
        filled += count as usize;
    }
    input
}

fn line_at(text: &[u8], start: usize) -> Option<Range<usize>> {
    let length = text.get(start..)?.iter().position(|&byte| byte == b'\n')?;
    Some(start..start + length)
}

fn number(digits: Option<&[u8]>) -> u64 {
    let digits = digits.filter(|digits| !digits.is_empty()).expect("a number");
    digits.iter().fold(0, |value, digit| {
        assert!(digit.is_ascii_digit(), "a number");
        value * 10 + u64::from(digit - b'0')
    })
}

/// Names and choices are sent as hexadecimal with a leading `x`, so that no separator needs escaping. Returns how many
/// bytes there were.
fn decode_hex(text: Option<&[u8]>, into: &mut [u8]) -> usize {
    let digits = text.and_then(|text| text.strip_prefix(b"x")).expect("a text");
    let digit = |byte: u8| (byte as char).to_digit(16).expect("hexadecimal") as u8;
    assert!(digits.len() / 2 <= into.len(), "a short text");
    for (place, pair) in into.iter_mut().zip(digits.chunks_exact(2)) {
        *place = digit(pair[0]) << 4 | digit(pair[1]);
    }
    digits.len() / 2
}
