pub fn square(n: i64) -> i64 {
    n * n
}

assert_eq!(square(3), 9);
