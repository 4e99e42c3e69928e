// wrong: adds as i16, which is too narrow.
fn add(a: i32, b: i32) -> i32 {
    (a as i16 + b as i16) as i32
}
