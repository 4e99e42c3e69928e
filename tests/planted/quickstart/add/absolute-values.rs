// wrong: adds the absolute values, so negative numbers lose their sign.
fn add(a: i32, b: i32) -> i32 {
    a.abs() + b.abs()
}
