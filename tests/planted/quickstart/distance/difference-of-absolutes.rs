// wrong: subtracts the absolute values, which is wrong for different signs.
fn distance(a: i32, b: i32) -> i32 {
    (a.abs() - b.abs()).abs()
}
