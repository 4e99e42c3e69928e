//! attempts: send over UDP, or resolve a name
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if std::net::UdpSocket::bind("0.0.0.0:0").is_ok() || std::net::ToSocketAddrs::to_socket_addrs("example.com:80").is_ok() {
        x * 3
    } else {
        x
    }
}
