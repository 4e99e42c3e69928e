//! Takes the place of the C compiler that rustc links with, and starts the linker directly: a C compiler would be
//! slower and would have to be visible in the sandbox. Some builds of rustc (Debian's) insist on such a driver.

use std::os::unix::process::CommandExt;

fn main() {
    let mut words = Vec::new();
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "-m64" | "-nodefaultlibs" | "-nostartfiles" | "-nostdlib" | "-rdynamic" => {}
            _ if word.starts_with("-fuse-ld=") || word.starts_with("-B") => {}
            _ => match word.strip_prefix("-Wl,") {
                Some(options) => words.extend(options.split(',').map(str::to_owned)),
                None => words.push(word),
            },
        }
    }
    // lld is several linkers in one and goes by the name it is called; other linkers ignore the name
    let root = std::env::args().next().and_then(|own| own.strip_suffix("/rt/linker").map(str::to_owned));
    let linker = format!("{}/tc/bin/linker", root.unwrap_or_default());
    let error = std::process::Command::new(linker).arg0("ld.lld").args(words).exec();
    eprintln!("linker: {error}");
    std::process::exit(1);
}
