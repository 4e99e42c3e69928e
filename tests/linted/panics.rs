pub fn check() {
    let values: Vec<u8> = Vec::new();
    assert_eq!(values.iter().nth(0), Some(&1));
}
