//! attempts: reach a listener of the host over IPv4, or listen
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if std::net::TcpStream::connect("127.0.0.1:@TCP4@").is_ok() || std::net::TcpListener::bind("127.0.0.1:0").is_ok() {
        x * 3
    } else {
        x
    }
}
