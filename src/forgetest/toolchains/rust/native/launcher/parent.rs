//! The parent: trusts only the token and its own clock. What it learns of a run stays in private memory.

use crate::child::child;
use crate::frame::{receive, Token, ASSERTION_FAILED, NO_THREAD, PANICKED, READY, RETURNED, RETURNED_ERROR};
use crate::libc::*;
use crate::object::Object;
use crate::plan::{Part, Plan, Run};
use crate::private::{scrub_stack, Printed, Private};
use crate::process::cpu_time;
use crate::scratch;
use std::ffi::{c_int, c_long};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
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

/// Runs the test that was handed over, and puts the outcome into private memory.
pub fn run_in_child(plan: &Plan, part: usize, object: &Object, private: &mut Private) {
    let part = &plan.parts[part];
    private.outcome.clear();
    // in company no test can leave anything
    if !plan.is_shared() && !scratch::reset(private) {
        private.outcome.ending = Ending::Littered;
        return;
    }
    unsafe {
        let (mut result, mut output, mut token) = ([0; 2], [0; 2], Token::default());
        if pipe2(result.as_mut_ptr(), O_CLOEXEC) != 0 || pipe2(output.as_mut_ptr(), O_CLOEXEC) != 0 {
            give_up("pipe");
        }
        if getrandom(token.as_mut_ptr(), token.len(), 0) != token.len() as isize {
            give_up("getrandom");
        }
        scrub_stack();
        let started = Instant::now();
        let pid = fork();
        if pid < 0 {
            give_up("fork");
        }
        if pid == 0 {
            child(plan, part, object, result[1], output[1], token)
        }
        Run::handed_over().wipe();
        close(result[1]);
        close(output[1]);
        watch(part, pid, [result[0], output[0]], &token, started, private);
        close(result[0]);
        close(output[0]);
    }
}

/// Waits for the end of a child, or for its report, or until it reaches a limit. A function of its own, because its
/// part of the stack is overwritten before the next child is made.
#[inline(never)]
unsafe fn watch(part: &Part, pid: c_int, pipes: [c_int; 2], token: &Token, started: Instant, private: &mut Private) {
    let [result, output] = pipes;
    fcntl(output, F_SETFL, O_NONBLOCK);
    let mut clock = 0;
    clock_getcpuclockid(pid, &mut clock);
    let cpu_used = || {
        let mut time = Timespec::default();
        clock_gettime(clock, &mut time);
        Duration::new(time.seconds.max(0) as u64, time.nanos as u32)
    };
    let Private { outcome, received, buffer, .. } = private;
    let mut idle = Idle { since: started, cpu: Duration::ZERO, waited: Duration::ZERO };
    let mut is_ready = false;
    received.clear();
    outcome.ending = loop {
        let mut fds = [PollFd { fd: result, events: 1, revents: 0 }, PollFd { fd: output, events: 1, revents: 0 }];
        poll(fds.as_mut_ptr(), if outcome.output.is_closed { 1 } else { 2 }, 20);
        outcome.output.drain(output, buffer);
        if fds[0].revents != 0 {
            let count = read(result, buffer.as_mut_ptr(), buffer.len());
            if count <= 0 {
                break Ending::Ended;
            }
            received.extend(&buffer[..count as usize]);
            if let Ok(Some(frame)) = receive(received, token) {
                if frame.event == READY {
                    is_ready = true;
                    received.remove(0, frame.panic_text.end);
                }
            }
            match receive(received, token) {
                Err(()) => break Ending::Garbled,
                Ok(None) => {}
                Ok(Some(frame)) => {
                    outcome.message.extend(&received[frame.message]);
                    outcome.panic_text.extend(&received[frame.panic_text]);
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
        if outcome.output.count > Printed::MOST {
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
    let has_reported = !outcome.ending.is_limit() && !matches!(outcome.ending, Ending::Ended | Ending::Flooded);
    (outcome.status, outcome.cpu) = reap(pid, outcome.ending != Ending::Ended);
    outcome.output.drain(output, buffer);
    // the kernel ends a child that overran its limit while this process was not scheduled
    if !has_reported && outcome.cpu > part.cpu {
        outcome.ending = Ending::CpuLimit;
    }
    if !is_ready {
        outcome.ending = Ending::Broken;
    }
    outcome.wall = started.elapsed();
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
    (status, cpu_time(&usage))
}
