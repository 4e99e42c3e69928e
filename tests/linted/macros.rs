macro_rules! give {
    ($name:ident, $value:expr) => {
        pub fn $name() -> u8 {
            return $value;
        }
    };
}
give!(one, 1);
give!(two, 2);
pub fn check() {
    assert_eq!(one() + two(), 3);
    assert!(one() == one());
}
