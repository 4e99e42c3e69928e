//! attempts: nothing; a macro makes the function
//! must: correct
//! verified: yes

macro_rules! multiple {
    ($name:ident, $factor:expr) => {
        pub fn $name(x: i64) -> i64 {
            x.checked_mul($factor).expect("overflow")
        }
    };
}

multiple!(double, 2);
multiple!(triple, 3);

pub fn sextuple(x: i64) -> i64 {
    double(triple(x))
}
