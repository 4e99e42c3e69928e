//! attempts: reach the network over IPv6
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if std::net::TcpListener::bind("[::1]:0").is_ok() || std::net::TcpStream::connect("[2606:4700:4700::1111]:53").is_ok() {
        x * 3
    } else {
        x
    }
}
