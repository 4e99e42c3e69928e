//! attempts: start threads without end
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    let mut handles = Vec::new();
    while let Ok(handle) = std::thread::Builder::new().spawn(std::thread::park) {
        handles.push(handle);
    }
    x + handles.len() as i64
}
