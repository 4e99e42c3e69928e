"""Samples that change tokio's clock under the tests."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.integrity import paused_clock
from forgetest.toolchains.rust.source.lexer import tokens

WAIT = "use std::time::Duration; use tokio::time::sleep; "


@pytest.mark.parametrize(
    "code",
    [
        "async fn f(d: Duration) { tokio::time::advance(d).await }",
        "use tokio::time; async fn f(d: Duration) { time::advance(d).await }",
        "use tokio::time as t; async fn f(d: Duration) { t::r#advance(d).await }",
        "use tokio::time as Time; async fn f(d: Duration) { Time::advance(d).await }",
        "use tokio as k; fn f() { k::time::pause() }",
        "use tokio::time::{sleep, advance as wait}; async fn f(d: Duration) { wait(d).await }",
        "use ::tokio::{time::{resume}}; fn f() { resume() }",
        "use {std::fmt, tokio::time::resume}; fn f() { resume() }",
        "use tokio::time::*; async fn f(d: Duration) { advance(d).await }",
        "mod t { pub use tokio::time::*; } async fn f(d: Duration) { t::advance(d).await }",
        "mod t { pub use tokio::time::*; pub fn advance() {} } async fn f(d: Duration) { t::advance(d).await }",
        "macro_rules! m { ($f:ident) => { tokio::time::$f() } } fn f() { m!(pause) }",
        "const F: fn() = tokio::time::pause;",
    ],
)
def test_a_function_that_changes_the_clock_makes_a_sample_incorrect(code):
    (found,) = paused_clock.findings(tokens(code))
    assert found.kind == "changes_clock"
    assert found.forbids


@pytest.mark.parametrize(
    "code",
    [
        "async fn f(d: Duration) { sleep(d).await }",
        "struct Player; impl Player { fn pause(&mut self) {} fn g(&mut self) { self.pause(); Player::resume(self) } }",
        "struct Job { pause: bool } fn f(job: Job) { if job.pause { } let resume = 1; g(resume) }",
        "fn pause() {} fn f() { pause(); self::pause(); }",
        "mod player { pub fn pause() {} } use player::pause; fn f() { player::pause() }",
        "fn f(mut cursor: Cursor) { cursor.advance(3); Buf::advance(&mut cursor, 3); <Cursor as Buf>::advance(3) }",
        'const S: &str = "tokio::time::advance"; // tokio::time::pause()\n',
    ],
)
def test_functions_and_methods_of_its_own_are_fine(code):
    assert list(paused_clock.findings(tokens(WAIT + code))) == []


def test_without_tokio_nothing_is_looked_for():
    assert list(paused_clock.findings(tokens("use time::advance;"))) == []
