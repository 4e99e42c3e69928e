//! attempts: reach a listener of the host over IPv6, or listen
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if std::net::TcpStream::connect("[::1]:@TCP6@").is_ok() || std::net::TcpListener::bind("[::1]:0").is_ok() {
        x * 3
    } else {
        x
    }
}
