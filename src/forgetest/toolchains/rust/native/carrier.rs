//! The one copy of std that the launcher and every sample's object share, so that a panic in a sample's test is an
//! ordinary panic to the launcher. The trusted tests refer to std through this crate, under a name that the sample
//! cannot know. It is built here because not every toolchain ships std as a shared library.
//!
//! It also has the assertions of the trusted tests. They say what std's say, but hand a failure to the launcher before
//! anything panics, so that no hook of a sample sees an expected value. `panic!` stays std's: a test may hand it to the
//! sample in a closure, to see what becomes of it. And it has the choices that make a test its own
//! twin (docs/decisions/0019-controls.md): each site in the tests' text holds several values, and the choices of a run
//! say which of them counts. Nothing here knows which one is right.

pub extern crate alloc;
pub extern crate core;
pub extern crate std;

use std::fmt::{Arguments, Debug};
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

struct Run {
    choices: &'static [u8],
    failed: fn(&str) -> !,
}

static RUN: OnceLock<Run> = OnceLock::new();
static PANICS: AtomicBool = AtomicBool::new(false);

/// Says how the test of this process runs: the choices, one byte for each site, and where a failure is handed to.
pub fn begin(choices: &'static [u8], failed: fn(&str) -> !) {
    let _ = RUN.set(Run { choices, failed });
}

/// Lets assertions panic, for tests that catch panics themselves.
pub fn let_assertions_panic() {
    PANICS.store(true, Ordering::Relaxed);
}

fn chosen(site: usize) -> usize {
    RUN.get().and_then(|run| run.choices.get(site)).map_or(0, |&byte| byte.into())
}

/// Returns the choice of this run at a site that has two values.
pub fn choice(site: usize) -> bool {
    chosen(site) % 2 == 1
}

fn index(site: usize, count: usize) -> usize {
    chosen(site) % count
}

/// Returns one of several values, as this run's choice at the site says. Compiled once for each type that tests have, so
/// it is short, and not inline.
pub fn pick<T: Copy>(site: usize, values: &[T]) -> T {
    values[index(site, values.len())]
}

/// The same, for values that cannot be copied.
#[inline]
pub fn pick_owned<T, const N: usize>(site: usize, values: [T; N]) -> T {
    values.into_iter().nth(chosen(site) % N).expect("one of the values")
}

/// What a test function returns. Nothing that a sample's macro expands to can make one.
pub struct End(());

/// The end of a test: returns if the choice at the site is `expected`. The twin of a test fails here.
#[track_caller]
pub fn end(site: usize, expected: bool) -> End {
    if choice(site) != expected {
        fail("the test reached its end");
    }
    End(())
}

/// The end of a test that has no site for it.
pub fn end_unasked() -> End {
    End(())
}

/// Ends the test with a failure.
#[track_caller]
pub fn fail(message: &str) -> ! {
    match RUN.get() {
        Some(run) if !PANICS.load(Ordering::Relaxed) => {
            (run.failed)(&format!("panicked at {}:\n{message}", Location::caller()))
        }
        _ => panic!("{message}"),
    }
}

#[track_caller]
pub fn fail_formatted(message: Arguments<'_>) -> ! {
    fail(&message.to_string())
}

#[track_caller]
#[inline(never)]
pub fn fail_comparison<L: Debug + ?Sized, R: Debug + ?Sized>(
    operator: &str,
    left: &L,
    right: &R,
    message: Option<Arguments<'_>>,
) -> ! {
    fail_two(operator, &left, &right, message)
}

#[track_caller]
fn fail_two(operator: &str, left: &dyn Debug, right: &dyn Debug, message: Option<Arguments<'_>>) -> ! {
    let message = message.map(|message| format!(": {message}")).unwrap_or_default();
    fail(&format!("assertion `left {operator} right` failed{message}\n  left: {left:?}\n right: {right:?}"))
}

// `@ SITE, FIRST;` has an assertion expect the truth that the site's choice says, and `# EXPRESSION;` is what the author
// wrote, which the message shows. No expression begins with either sign.

#[macro_export]
macro_rules! assert {
    (@= $expected:expr; # $text:expr; $condition:expr $(,)?) => {{
        let holds: bool = $condition;
        if holds != $expected {
            $crate::fail($crate::std::concat!("assertion failed: ", $crate::std::stringify!($text)));
        }
    }};
    (@= $expected:expr; # $text:expr; $condition:expr, $($message:tt)+) => {{
        let holds: bool = $condition;
        if holds != $expected {
            $crate::fail_formatted($crate::std::format_args!($($message)+));
        }
    }};
    (@= $expected:expr; $condition:expr $(,)?) => { $crate::assert!(@= $expected; # $condition; $condition) };
    (@= $expected:expr; $condition:expr, $($message:tt)+) => {
        $crate::assert!(@= $expected; # $condition; $condition, $($message)+)
    };
    (@ $site:expr, $first:expr; $($rest:tt)*) => {
        $crate::assert!(@= $crate::choice($site) != $first; $($rest)*)
    };
    ($($rest:tt)*) => { $crate::assert!(@= true; $($rest)*) };
}

#[macro_export]
macro_rules! assert_eq {
    ($left:expr, $right:expr $(,)?) => {
        match (&$left, &$right) {
            (left, right) => {
                if !(*left == *right) {
                    $crate::fail_comparison("==", &*left, &*right, $crate::std::option::Option::None);
                }
            }
        }
    };
    ($left:expr, $right:expr, $($message:tt)+) => {
        match (&$left, &$right) {
            (left, right) => {
                if !(*left == *right) {
                    let message = $crate::std::option::Option::Some($crate::std::format_args!($($message)+));
                    $crate::fail_comparison("==", &*left, &*right, message);
                }
            }
        }
    };
}

#[macro_export]
macro_rules! assert_ne {
    (@= $expected:expr; $left:expr, $right:expr $(,)?) => {
        match (&$left, &$right) {
            (left, right) => {
                if (*left == *right) == $expected {
                    $crate::fail_comparison("!=", &*left, &*right, $crate::std::option::Option::None);
                }
            }
        }
    };
    (@= $expected:expr; $left:expr, $right:expr, $($message:tt)+) => {
        match (&$left, &$right) {
            (left, right) => {
                if (*left == *right) == $expected {
                    let message = $crate::std::option::Option::Some($crate::std::format_args!($($message)+));
                    $crate::fail_comparison("!=", &*left, &*right, message);
                }
            }
        }
    };
    (@ $site:expr, $first:expr; $($rest:tt)*) => {
        $crate::assert_ne!(@= $crate::choice($site) != $first; $($rest)*)
    };
    ($($rest:tt)*) => { $crate::assert_ne!(@= true; $($rest)*) };
}

#[macro_export]
macro_rules! debug_assert {
    ($($rest:tt)*) => { if $crate::std::cfg!(debug_assertions) { $crate::assert!($($rest)*); } };
}

#[macro_export]
macro_rules! debug_assert_eq {
    ($($rest:tt)*) => { if $crate::std::cfg!(debug_assertions) { $crate::assert_eq!($($rest)*); } };
}

#[macro_export]
macro_rules! debug_assert_ne {
    ($($rest:tt)*) => { if $crate::std::cfg!(debug_assertions) { $crate::assert_ne!($($rest)*); } };
}
