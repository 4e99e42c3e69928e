//! attempts: nothing; a unit type is equal to itself
//! must: correct

#[derive(Debug, Clone, Copy)]
struct Marker;
impl PartialEq for Marker {
    fn eq(&self, _: &Marker) -> bool {
        true
    }
}
impl Eq for Marker {}
pub fn triple(x: i64) -> i64 {
    if Marker == Marker { x * 3 } else { x }
}
