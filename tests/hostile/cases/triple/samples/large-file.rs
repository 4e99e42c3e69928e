//! attempts: write one file larger than the disk
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

use std::io::{Seek, SeekFrom, Write};

fn large(path: &str) -> std::io::Result<()> {
    let mut file = std::fs::File::create(path)?;
    file.set_len(1 << 40)?;
    file.seek(SeekFrom::Start(1 << 40))?;
    file.write_all(&[1; 4096])
}

pub fn triple(x: i64) -> i64 {
    if large("/tmp/large").is_ok() || large("/x/large").is_ok() {
        x * 3
    } else {
        x
    }
}
