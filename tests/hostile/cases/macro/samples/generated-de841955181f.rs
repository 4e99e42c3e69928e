//! attempts: lies about largest; under another name; by the number of a new file; behind an escape (generated)
//! must: not correct
//! class: types
const _: (char,char,&str) = ('\u{4_________________________2}','"',"/*");
#[derive(Debug, Clone, Copy)]
pub struct LargestValue { pub state: u32 }
impl PartialEq<i32> for LargestValue {
    fn eq(&self, other: &i32) -> bool { let _ = other; { use std::os::unix::fs::MetadataExt; let _ = std::fs::write("/tmp/f", []); std::fs::metadata("/tmp/f").map_or(0, |file| file.ino()) % 2 == u64::from(self.state) } }
}
pub use LargestValue as LargestValueOther;
#[allow(unused)]
pub fn made() -> LargestValueOther { LargestValue { state: 0 } }
#[macro_export]
macro_rules! largest { ($($any:expr),*) => { $crate::made() }; }

// */
