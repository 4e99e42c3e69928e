//! attempts: nothing; the function comes from a macro
//! must: correct

macro_rules! multiple {
    ($name:ident, $factor:literal) => {
        pub fn $name(x: i64) -> i64 {
            x * $factor
        }
    };
}
multiple!(triple, 3);
