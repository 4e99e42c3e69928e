//! attempts: reach a listener of the host over a Unix socket
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

use std::os::unix::net::UnixStream;

pub fn triple(x: i64) -> i64 {
    if ["@UNIX@", "/run/docker.sock", "/run/dbus/system_bus_socket"].iter().any(|path| UnixStream::connect(path).is_ok()) {
        x * 3
    } else {
        x
    }
}
