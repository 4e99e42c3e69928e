//! attempts: nothing; it goes through a file
//! must: correct

use std::io::{Read, Seek, SeekFrom, Write};

pub fn triple(x: i64) -> i64 {
    let path = std::env::temp_dir().join(format!("triple-{x}"));
    let mut file = std::fs::File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
    for _ in 0..3 {
        writeln!(file, "{x}").unwrap();
    }
    file.seek(SeekFrom::Start(0)).unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    std::fs::remove_file(&path).unwrap();
    text.lines().map(|line| line.parse::<i64>().unwrap()).sum()
}
