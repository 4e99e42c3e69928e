//! Waits for a run and keeps what it prints.

use crate::libc::*;
use crate::plan::Run;
use crate::process::cpu_time;
use std::ffi::{c_int, c_long};
use std::io::Write;
use std::time::{Duration, Instant};

const PIECE: usize = 1 << 16;

pub struct Outcome {
    pub ending: &'static str,
    pub code: c_int,
    pub wall: Duration,
    pub cpu: Duration,
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
}

/// A line: the ending, its code, two times in microseconds, and what was printed, in hexadecimal digits.
pub fn write_outcome(outcome: &Outcome, report: &mut std::fs::File) -> std::io::Result<()> {
    let Outcome { ending, code, wall, cpu, output, errors } = outcome;
    let mut line = format!("{ending} {code} {} {} ", wall.as_micros(), cpu.as_micros()).into_bytes();
    for (bytes, end) in [(output, b' '), (errors, b'\n')] {
        line.extend(b"x".iter().chain(&hexadecimal(bytes)));
        line.push(end);
    }
    report.write_all(&line)
}

fn hexadecimal(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]).collect()
}

/// Waits for the end of a run, or until it reaches a limit.
pub unsafe fn watch(run: &Run, pid: c_int, pipes: [c_int; 3], most: usize, started: Instant) -> Outcome {
    let [output_pipe, errors_pipe, _] = pipes;
    let mut clock = 0;
    clock_getcpuclockid(pid, &mut clock);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut open_pipes = [output_pipe, errors_pipe];
    let (mut seen, mut seen_cpu, mut waited) = (started, Duration::ZERO, Duration::ZERO);
    let (mut status, mut usage) = (0, [0 as c_long; 18]);
    let mut has_ended = false;
    for pipe in open_pipes {
        fcntl(pipe, F_SETFL, O_NONBLOCK);
    }
    let limit = loop {
        let mut fds = open_pipes.map(|fd| PollFd { fd, events: 1, revents: 0 });
        // without open pipes this only waits a moment for the end
        poll(fds.as_mut_ptr(), 2, if open_pipes == [-1, -1] { 1 } else { 10 });
        for (index, kept) in [&mut output, &mut errors].into_iter().enumerate() {
            if open_pipes[index] >= 0 && !drain(open_pipes[index], kept, most) {
                open_pipes[index] = -1;
            }
        }
        keep_end(&mut errors, run.most_errors);
        if output.len() > most {
            break Some("output_limit");
        }
        if wait4(pid, &mut status, WNOHANG, &mut usage) == pid {
            has_ended = true;
            break None;
        }
        let mut time = Timespec::default();
        clock_gettime(clock, &mut time);
        let used = Duration::new(time.seconds.max(0) as u64, time.nanos as u32);
        if used >= run.cpu {
            break Some("cpu_limit");
        }
        // on a busy machine, a process that only waits for its turn still gets some of the CPU
        if seen.elapsed() >= Duration::from_millis(250) {
            let idle = used.saturating_sub(seen_cpu) < Duration::from_millis(1);
            waited = if idle { waited + seen.elapsed() } else { Duration::ZERO };
            (seen, seen_cpu) = (Instant::now(), used);
        }
        if waited >= run.waiting || started.elapsed() >= run.wall {
            break Some("wall_limit");
        }
    };
    if !has_ended {
        kill(pid, SIGKILL);
        wait4(pid, &mut status, 0, &mut usage);
    }
    drain(output_pipe, &mut output, most);
    drain(errors_pipe, &mut errors, most);
    keep_end(&mut errors, run.most_errors);
    let cpu = cpu_time(&usage);
    let signal = status & 0x7f;
    let ending = match limit {
        Some(limit) => limit,
        None if output.len() > most => "output_limit",
        // the kernel ends a run that overran its limit while this process was not scheduled
        None if cpu > run.cpu + Duration::from_secs(1) => "cpu_limit",
        None if signal != 0 => "signalled",
        None => "exited",
    };
    output.truncate(most);
    let code = if signal != 0 { signal } else { status >> 8 & 0xff };
    Outcome { ending, code, wall: started.elapsed(), cpu, output, errors }
}

/// Reads what there is, up to a piece more than `most`; false where the pipe is closed.
unsafe fn drain(pipe: c_int, kept: &mut Vec<u8>, most: usize) -> bool {
    while kept.len() <= most {
        let length = kept.len();
        kept.resize(length + PIECE, 0);
        let count = read(pipe, kept.as_mut_ptr().add(length), PIECE);
        kept.truncate(length + count.max(0) as usize);
        if count <= 0 {
            return count < 0;
        }
    }
    true
}

fn keep_end(kept: &mut Vec<u8>, most: usize) {
    if kept.len() > most {
        kept.drain(..kept.len() - most);
    }
}
