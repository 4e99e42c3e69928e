pub fn check() {
    std::process::exit(0);
}
