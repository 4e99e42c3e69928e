//! Memory of the launcher that no child inherits.
//!
//! The plan and everything that was observed of earlier runs live here, so that a sample that can read all memory of
//! its process learns neither the choices of other runs nor which run it is in. Nothing of it may be copied elsewhere:
//! freed memory keeps its content.

use crate::frame::{LONGEST_FRAME, LONGEST_PANIC_TEXT};
use crate::libc::*;
use crate::parent::Ending;
use std::time::Duration;

/// Bytes of bounded number, kept in place.
pub struct Bytes<const N: usize> {
    data: [u8; N],
    length: usize,
}

impl<const N: usize> Bytes<N> {
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Adds as much as there is room for.
    pub fn extend(&mut self, more: &[u8]) {
        let count = more.len().min(N - self.length);
        self.data[self.length..self.length + count].copy_from_slice(&more[..count]);
        self.length += count;
    }

    pub fn remove(&mut self, start: usize, end: usize) {
        self.data.copy_within(end..self.length, start);
        self.length -= end - start;
    }
}

impl<const N: usize> std::ops::Deref for Bytes<N> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.data[..self.length]
    }
}

impl<const N: usize> std::io::Write for Bytes<N> {
    fn write(&mut self, more: &[u8]) -> std::io::Result<usize> {
        self.extend(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The observation of one run.
pub struct Outcome {
    pub ending: Ending,
    pub wall: Duration,
    pub cpu: Duration,
    pub status: i32,
    pub message: Bytes<4096>,
    /// The text of a panic or a failed assertion, without its place; longer than the message where that was cut.
    pub panic_text: Bytes<LONGEST_PANIC_TEXT>,
    pub output: Printed,
}

impl Outcome {
    pub fn clear(&mut self) {
        (self.wall, self.cpu, self.status) = (Duration::ZERO, Duration::ZERO, 0);
        self.message.clear();
        self.panic_text.clear();
        self.output.clear();
    }
}

/// The output of a test: its beginning and its end.
pub struct Printed {
    pub text: Bytes<{ 2 * Printed::PART + READ_AT_ONCE }>,
    /// The size of all output, kept or not.
    pub count: u64,
    pub is_closed: bool,
}

pub const READ_AT_ONCE: usize = 65536;

impl Printed {
    pub const PART: usize = 4096;
    pub const MOST: u64 = 256 << 20;

    pub fn clear(&mut self) {
        self.text.clear();
        (self.count, self.is_closed) = (0, false);
    }

    pub unsafe fn drain(&mut self, fd: i32, buffer: &mut [u8; READ_AT_ONCE]) {
        for _ in 0..16 {
            let count = read(fd, buffer.as_mut_ptr(), buffer.len());
            if count <= 0 {
                self.is_closed |= count == 0;
                return;
            }
            self.count += count as u64;
            self.text.extend(&buffer[..count as usize]);
            if self.text.len() > 2 * Self::PART {
                let end = self.text.len() - Self::PART;
                self.text.remove(Self::PART, end);
            }
        }
    }
}

/// All that the launcher knows of runs. Zeros are a valid value.
pub struct Private {
    /// Of the next line of the plan.
    pub cursor: usize,
    /// Of the current run in the plan, and in which part it is.
    pub position: usize,
    pub next_position: usize,
    pub parts_begun: usize,
    /// If the current run does not return, its test has failed, and the further runs of that test are skipped.
    pub is_decisive: bool,
    pub outcome: Outcome,
    pub received: Bytes<{ 2 * LONGEST_FRAME }>,
    pub buffer: [u8; READ_AT_ONCE],
    pub record_head: Bytes<256>,
}

impl Private {
    pub fn map() -> &'static mut Self {
        unsafe { &mut *map_private(std::mem::size_of::<Self>()).cast() }
    }
}

/// Maps memory, filled with zeros, that disappears in children.
pub unsafe fn map_private(size: usize) -> *mut u8 {
    const PRIVATE_ANONYMOUS: i32 = 0x22;
    const DONT_FORK: i32 = 10;
    let memory = mmap(std::ptr::null_mut(), size.max(1), 3, PRIVATE_ANONYMOUS, -1, 0);
    if memory as isize == -1 || madvise(memory, size.max(1), DONT_FORK) != 0 {
        give_up("memory");
    }
    memory.cast()
}

/// Overwrites what earlier calls left on the stack.
#[inline(never)]
pub fn scrub_stack() {
    let mut stack = [1u8; 32 << 10];
    wipe(&mut stack);
}

/// Overwrites memory, in a way that the compiler does not leave out.
pub fn wipe(memory: &mut [u8]) {
    memory.fill(0);
    std::hint::black_box(memory);
}
