//! attempts: find other samples, or what their compilation left
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

use std::path::Path;

fn anything(folder: &Path, depth: usize) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name != "rt" && (name.ends_with(".rs") || name == "sample.so" || (depth > 0 && anything(&entry.path(), depth - 1)))
    })
}

pub fn triple(x: i64) -> i64 {
    if ["/", "/w", "/tmp", "/x", "/var/tmp", "/dev/shm", "@TMP@"].iter().any(|place| anything(Path::new(place), 2)) {
        x * 3
    } else {
        x
    }
}
