//! attempts: nothing; it leaves folders so deep that no path reaches their bottom
//! must: correct

static ONCE: std::sync::Once = std::sync::Once::new();

fn dig() {
    let name = "x".repeat(200);
    std::env::set_current_dir("/tmp").unwrap();
    assert!(!std::path::Path::new(&name).exists(), "an earlier test left something");
    for _ in 0..400 {
        std::fs::create_dir(&name).unwrap();
        std::env::set_current_dir(&name).unwrap();
        std::fs::write("file", "").unwrap();
    }
}

pub fn triple(x: i64) -> i64 {
    ONCE.call_once(dig);
    x * 3
}
