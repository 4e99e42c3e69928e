//! attempts: nothing; a blanket trait for unsized types, and trait objects
//! must: correct

trait Described {
    type Output;
    fn described(&self) -> Self::Output;
}
impl<T: ?Sized + ToString> Described for T {
    type Output = String;
    fn described(&self) -> String {
        self.to_string()
    }
}
fn length(value: &dyn Described<Output = String>) -> i64 {
    value.described().len() as i64
}
pub fn triple(x: i64) -> i64 {
    x * length(&"abc")
}
