mod shapes {
    pub mod shapes {
        pub fn area(x: u32) -> u32 {
            return x * x;
        }
    }
}
pub fn check() {
    assert_eq!(shapes::shapes::area(2), 4);
}
