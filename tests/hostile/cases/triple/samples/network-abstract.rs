//! attempts: reach a listener of the host over an abstract socket
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};

pub fn triple(x: i64) -> i64 {
    let Ok(address) = SocketAddr::from_abstract_name("@ABSTRACT@") else { return x };
    let datagram = UnixDatagram::unbound().and_then(|socket| socket.send_to_addr(b"x", &address));
    if UnixStream::connect_addr(&address).is_ok() || datagram.is_ok() {
        x * 3
    } else {
        x
    }
}
