pub fn check() {
    let mut values = vec![1];
    let first = &mut values;
    let second = &mut values;
    first.push(1);
    second.push(2);
}
