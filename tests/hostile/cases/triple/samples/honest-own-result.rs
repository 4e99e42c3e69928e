//! attempts: nothing; it has types named like the prelude's
//! must: correct

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug)]
pub enum Error {
    TooMuch,
}

fn checked(x: i64) -> Result<i64> {
    x.checked_mul(3).ok_or(Error::TooMuch)
}

pub fn triple(x: i64) -> i64 {
    match checked(x) {
        Ok(tripled) => tripled,
        Err(Error::TooMuch) => panic!("overflow"),
    }
}
