pub fn kind(value: Option<u8>) -> u8 {
    match value {
        Some(x) => match x {
            0 => 0,
            _ => 1,
        },
        None => 2,
    }
}
pub fn only(value: Option<u8>) -> bool {
    match value {
        Some(_) => true,
        None => false,
    }
}
pub fn say(value: Option<u8>) {
    match value {
        Some(x) => println!("{x}"),
        _ => {}
    }
}
pub fn check() {
    assert_eq!(kind(Some(0)), 0);
    assert!(only(Some(1)));
    say(None);
}
