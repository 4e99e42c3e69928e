//! attempts: nothing; it extends types of std by a trait of its own
//! must: correct

pub trait Tripled {
    type Output;
    fn tripled(&self) -> Self::Output;
}
impl Tripled for i64 {
    type Output = i64;
    fn tripled(&self) -> i64 {
        self * 3
    }
}
impl<T: Tripled> Tripled for [T] {
    type Output = Vec<T::Output>;
    fn tripled(&self) -> Self::Output {
        self.iter().map(Tripled::tripled).collect()
    }
}

pub fn triple(x: i64) -> i64 {
    [x].tripled()[0]
}
