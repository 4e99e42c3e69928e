pub fn check() {
    let mut x = 250u8;
    for _ in 0..10 {
        x += 1;
    }
}
