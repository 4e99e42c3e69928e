pub fn check() {
    if true {
}
