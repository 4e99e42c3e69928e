//! The parent: trusts only the token and its own clock.

use crate::child::{child, root};
use crate::frame::{receive, Token, ASSERTION_FAILED, NO_THREAD, PANICKED, READY, RETURNED, RETURNED_ERROR};
use crate::libc::*;
use crate::plan::{Plan, Run};
use std::ffi::{c_int, c_long};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq)]
pub enum Ending {
    Returned,
    ReturnedError,
    Panicked,
    /// One of the test's own assertions, which report before they panic.
    AssertionFailed,
    /// The sample left the test no thread to run in.
    NoThread,
    /// The child ended without sending the token: exit, abort, signal, or something else in the pipe.
    Ended,
    CpuLimit,
    /// It waited too long without computing.
    WaitingLimit,
    WallLimit,
    /// It printed more than the limit.
    Flooded,
    /// The private pipe held something that only the sample can have written.
    Garbled,
    /// An earlier test left files that cannot be removed, which could tell this one something.
    Littered,
    /// The child failed before it touched the sample: a failure of ours.
    Broken,
}

impl Ending {
    pub fn is_limit(self) -> bool {
        matches!(self, Ending::CpuLimit | Ending::WaitingLimit | Ending::WallLimit)
    }

    pub fn word(self) -> &'static str {
        match self {
            Ending::Returned => "returned",
            Ending::ReturnedError => "returned_error",
            Ending::Panicked => "panicked",
            Ending::AssertionFailed => "assertion_failed",
            Ending::NoThread => "no_thread",
            Ending::Ended => "ended",
            Ending::CpuLimit => "cpu_limit",
            Ending::WaitingLimit => "waiting_limit",
            Ending::WallLimit => "wall_limit",
            Ending::Flooded => "flooded",
            Ending::Garbled => "garbled",
            Ending::Littered => "littered",
            Ending::Broken => "broken",
        }
    }
}

pub struct Outcome {
    pub ending: Ending,
    pub wall: Duration,
    pub cpu: Duration,
    pub status: c_int,
    pub message: Vec<u8>,
    /// What a panic or a failed assertion said, without its place; longer than the message where that was cut.
    pub panic_text: Vec<u8>,
    pub output: Vec<u8>,
}

/// Removes what a test left: the next one must learn nothing from it and must not lack the space.
pub fn cleared(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let mut gone = true;
    for entry in entries {
        let Ok(entry) = entry else { return false };
        let path = entry.path();
        gone &= if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = std::fs::set_permissions(&path, Permissions::from_mode(0o700));
            cleared(&path) && std::fs::remove_dir(&path).is_ok()
        } else {
            std::fs::remove_file(&path).is_ok()
        };
    }
    gone
}

pub fn run_in_child(plan: &Plan, run: &Run, object: &[u8]) -> Outcome {
    let part = &plan.parts[run.part];
    // without namespaces, /tmp is the host's: clear only the folders that belong to this step
    let places = ["/tmp", "/x"].map(|place| root() + place);
    for place in &places {
        let _ = std::fs::set_permissions(place, Permissions::from_mode(0o700));
    }
    if !places.iter().all(|place| cleared(Path::new(place))) {
        return Outcome {
            ending: Ending::Littered,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            status: 0,
            message: Vec::new(),
            panic_text: Vec::new(),
            output: Vec::new(),
        };
    }
    unsafe {
        let (mut result, mut output, mut token) = ([0; 2], [0; 2], Token::default());
        if pipe2(result.as_mut_ptr(), O_CLOEXEC) != 0 || pipe2(output.as_mut_ptr(), O_CLOEXEC) != 0 {
            give_up("pipe");
        }
        if getrandom(token.as_mut_ptr(), token.len(), 0) != token.len() as isize {
            give_up("getrandom");
        }
        let started = Instant::now();
        let pid = fork();
        if pid < 0 {
            give_up("fork");
        }
        if pid == 0 {
            child(plan, run, object, result[1], output[1], token)
        }
        close(result[1]);
        close(output[1]);
        fcntl(output[0], F_SETFL, O_NONBLOCK);
        let mut clock = 0;
        clock_getcpuclockid(pid, &mut clock);
        let cpu_used = || {
            let mut time = Timespec::default();
            clock_gettime(clock, &mut time);
            Duration::new(time.seconds.max(0) as u64, time.nanos as u32)
        };
        let mut idle = Idle { since: started, cpu: Duration::ZERO, waited: Duration::ZERO };
        let (mut received, mut ready) = (Vec::new(), false);
        let (mut message, mut panic_text) = (Vec::new(), Vec::new());
        let (mut printed, mut buffer) = (Printed::default(), vec![0u8; 65536]);
        let ending = loop {
            let mut fds = [PollFd { fd: result[0], events: 1, revents: 0 }, PollFd { fd: output[0], events: 1, revents: 0 }];
            poll(fds.as_mut_ptr(), if printed.closed { 1 } else { 2 }, 20);
            printed.drain(output[0], &mut buffer);
            if fds[0].revents != 0 {
                let count = read(result[0], buffer.as_mut_ptr(), 8192);
                if count <= 0 {
                    break Ending::Ended;
                }
                received.extend(&buffer[..count as usize]);
                if let Ok(Some(frame)) = receive(&received, token) {
                    if frame.event == READY {
                        ready = true;
                        received.drain(..frame.size);
                    }
                }
                match receive(&received, token) {
                    Err(()) => break Ending::Garbled,
                    Ok(None) => {}
                    Ok(Some(frame)) => {
                        (message, panic_text) = (frame.message, frame.panic_text);
                        break match frame.event {
                            RETURNED => Ending::Returned,
                            RETURNED_ERROR => Ending::ReturnedError,
                            PANICKED => Ending::Panicked,
                            ASSERTION_FAILED => Ending::AssertionFailed,
                            NO_THREAD => Ending::NoThread,
                            _ => Ending::Garbled,
                        };
                    }
                }
            }
            if printed.count > Printed::MOST {
                break Ending::Flooded;
            }
            let used = cpu_used();
            if used > part.cpu {
                break Ending::CpuLimit;
            }
            if idle.waited(used) > part.waiting {
                break Ending::WaitingLimit;
            }
            if started.elapsed() > part.wall {
                break Ending::WallLimit;
            }
        };
        let reported = !ending.is_limit() && !matches!(ending, Ending::Ended | Ending::Flooded);
        let (status, cpu) = reap(pid, !matches!(ending, Ending::Ended));
        printed.drain(output[0], &mut buffer);
        close(result[0]);
        close(output[0]);
        // the kernel ends a child that overran its limit while this process was not scheduled
        let ending = if !reported && cpu > part.cpu { Ending::CpuLimit } else { ending };
        let ending = if ready { ending } else { Ending::Broken };
        Outcome { ending, wall: started.elapsed(), cpu, status, message, panic_text, output: printed.text }
    }
}

/// Distinguishes a test that waits from one that a busy machine starves: the latter still gets a little CPU time each
/// second.
pub struct Idle {
    pub since: Instant,
    pub cpu: Duration,
    pub waited: Duration,
}

impl Idle {
    pub fn waited(&mut self, cpu: Duration) -> Duration {
        let passed = self.since.elapsed();
        if passed >= Duration::from_secs(1) {
            if cpu.saturating_sub(self.cpu) < passed / 500 {
                self.waited += passed;
            }
            (self.since, self.cpu) = (Instant::now(), cpu);
        }
        self.waited
    }
}

/// Ends the child (at once, or after a moment in which it may exit) and returns its status and CPU time.
pub unsafe fn reap(pid: c_int, at_once: bool) -> (c_int, Duration) {
    let (mut status, mut usage, started) = (0, [0 as c_long; 18], Instant::now());
    if at_once {
        kill(pid, SIGKILL);
    }
    while wait4(pid, &mut status, if at_once { 0 } else { WNOHANG }, &mut usage) == 0 {
        if started.elapsed() > Duration::from_millis(200) {
            kill(pid, SIGKILL);
        }
        poll(std::ptr::null_mut(), 0, 1);
    }
    let micros = (usage[0] + usage[2]) * 1_000_000 + usage[1] + usage[3];
    (status, Duration::from_micros(micros.max(0) as u64))
}

/// The output of a test: its beginning and its end.
#[derive(Default)]
pub struct Printed {
    pub text: Vec<u8>,
    /// The size of all output, kept or not.
    pub count: u64,
    pub closed: bool,
}

impl Printed {
    pub const PART: usize = 4096;
    pub const MOST: u64 = 256 << 20;

    pub unsafe fn drain(&mut self, fd: c_int, buffer: &mut [u8]) {
        for _ in 0..16 {
            let count = read(fd, buffer.as_mut_ptr(), buffer.len());
            if count <= 0 {
                self.closed |= count == 0;
                return;
            }
            self.count += count as u64;
            self.text.extend(&buffer[..count as usize]);
            if self.text.len() > 2 * Self::PART {
                let cut = self.text.len() - Self::PART;
                self.text.drain(Self::PART..cut);
            }
        }
    }
}
