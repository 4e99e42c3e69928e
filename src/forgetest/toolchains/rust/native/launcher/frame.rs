//! Frames: how a child tells the launcher, through its private pipe, what happened.
//!
//! A frame is the run's random token, the event, the lengths of two texts, and the texts.

use crate::libc::write;
use std::ffi::c_int;
use std::ops::Range;
use std::sync::Mutex;

pub type Token = [u8; 16];

/// The child is about to map the object; whatever ends it from now on is the sample's doing.
pub const READY: u8 = b'S';
pub const RETURNED: u8 = b'R';
pub const RETURNED_ERROR: u8 = b'E';
pub const PANICKED: u8 = b'P';
pub const ASSERTION_FAILED: u8 = b'A';
pub const NO_THREAD: u8 = b'T';

const LONGEST_MESSAGE: usize = 4000;
/// A `should_panic` test expects a text anywhere in a panic's.
pub const LONGEST_PANIC_TEXT: usize = 64 << 10;
const HEAD: usize = 25;
pub const LONGEST_FRAME: usize = HEAD + LONGEST_MESSAGE + LONGEST_PANIC_TEXT;

/// Where the parts of a frame are.
pub struct Frame {
    pub event: u8,
    /// With its place, as a panic hook sees it.
    pub message: Range<usize>,
    /// The text alone.
    pub panic_text: Range<usize>,
}

/// The child's end of the pipe.
pub struct Channel {
    fd: c_int,
    token: Token,
    /// Held by whoever writes, since a long frame is not written in one piece.
    writing: Mutex<()>,
}

impl Channel {
    pub fn new(fd: c_int, token: Token) -> Self {
        Self { fd, token, writing: Mutex::new(()) }
    }

    pub fn send(&self, event: u8, message: &str, panic_text: &str) {
        let _writing = self.writing.lock();
        let message = &message.as_bytes()[..message.len().min(LONGEST_MESSAGE)];
        let panic_text = &panic_text.as_bytes()[..panic_text.len().min(LONGEST_PANIC_TEXT)];
        let mut frame = self.token.to_vec();
        frame.push(event);
        frame.extend((message.len() as u32).to_le_bytes());
        frame.extend((panic_text.len() as u32).to_le_bytes());
        frame.extend(message);
        frame.extend(panic_text);
        let mut rest = &frame[..];
        while !rest.is_empty() {
            let count = unsafe { write(self.fd, rest.as_ptr(), rest.len()) };
            if count <= 0 {
                return;
            }
            rest = &rest[count as usize..];
        }
    }
}

/// Returns the first complete frame at the start of `bytes`, or an error if it cannot become one.
pub fn receive(bytes: &[u8], token: &Token) -> Result<Option<Frame>, ()> {
    if !bytes.starts_with(&token[..bytes.len().min(token.len())]) {
        return Err(());
    }
    let Some(head) = bytes.get(16..HEAD) else { return Ok(None) };
    let length = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize;
    let text_at = HEAD + length(1);
    let end = text_at.saturating_add(length(5));
    if length(1) > LONGEST_MESSAGE || length(5) > LONGEST_PANIC_TEXT {
        return Err(());
    }
    let is_whole = bytes.len() >= end;
    Ok(is_whole.then_some(Frame { event: head[0], message: HEAD..text_at, panic_text: text_at..end }))
}
