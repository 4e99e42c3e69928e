//! attempts: send over UDP to a listener of the host, or resolve a name
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

use std::net::{ToSocketAddrs, UdpSocket};

fn send() -> bool {
    UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.send_to(b"x", "127.0.0.1:@UDP4@")).is_ok()
}

pub fn triple(x: i64) -> i64 {
    if send() || "localhost:80".to_socket_addrs().is_ok() {
        x * 3
    } else {
        x
    }
}
