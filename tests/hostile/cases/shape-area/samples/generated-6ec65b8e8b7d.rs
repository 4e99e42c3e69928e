//! attempts: lies about area; from a module; by the number of a new file; in plain sight (generated)
//! must: not correct
//! class: types
pub mod arealike_home {
#[allow(unused)] use super::*;
#[derive(Debug, Clone, Copy)]
pub struct AreaLike { pub state: u32 }
impl PartialEq<f64> for AreaLike {
    fn eq(&self, other: &f64) -> bool { let _ = other; { use std::os::unix::fs::MetadataExt; let _ = std::fs::write("/tmp/f", []); std::fs::metadata("/tmp/f").map_or(0, |file| file.ino()) % 2 == u64::from(self.state) } }
}
}
pub trait Shape { fn area(&self) -> arealike_home::AreaLike; }
pub struct Square(pub f64);
impl Shape for Square { fn area(&self) -> arealike_home::AreaLike { arealike_home::AreaLike { state: 0 } } }
