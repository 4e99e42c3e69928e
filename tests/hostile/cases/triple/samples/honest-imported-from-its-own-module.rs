//! attempts: nothing; the function is an import of another one, under another name
//! must: correct
//! verified: yes

mod arithmetic {
    pub mod multiples {
        pub fn by_three(x: i64) -> i64 {
            x.checked_mul(3).expect("overflow")
        }
    }
    pub use multiples::by_three as three_times;
}

pub use arithmetic::three_times as triple;
