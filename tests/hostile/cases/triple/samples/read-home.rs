//! attempts: read keys in a home folder
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

fn homes() -> Vec<std::path::PathBuf> {
    #[allow(deprecated)]
    let own = std::env::home_dir();
    ["@HOME@", "/root", "/home", "/Users"].iter().map(std::path::PathBuf::from).chain(own).collect()
}

pub fn triple(x: i64) -> i64 {
    let kept = ["", ".ssh", ".ssh/id_ed25519", ".netrc", ".aws/credentials", ".config", ".cargo/credentials.toml"];
    if homes().iter().any(|home| kept.iter().any(|name| home.join(name).metadata().is_ok())) {
        x * 3
    } else {
        x
    }
}
