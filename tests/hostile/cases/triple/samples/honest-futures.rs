//! attempts: nothing; it polls a future by hand
//! must: correct

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

async fn tripled(x: i64) -> i64 {
    std::future::ready(x).await * 3
}

pub fn triple(x: i64) -> i64 {
    let mut future = pin!(tripled(x));
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(tripled) => tripled,
        Poll::Pending => unreachable!("it waits for nothing"),
    }
}
