#![deny(warnings)]
pub fn check() {
    let unused = 1;
}
