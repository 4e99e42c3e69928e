//! attempts: lies about size; under another name; by a count; beside other texts (generated)
//! must: not correct
//! class: types
/// unsafe { asm! }
#[allow(dead_code)]
const NOTE: &str = r#"unsafe { asm! }"#;
#[derive(Debug, Clone, Copy)]
pub struct SizeSeen { pub state: u32 }
impl PartialEq<usize> for SizeSeen {
    fn eq(&self, other: &usize) -> bool { let _ = other; { static ASKED: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0); ASKED.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 4096 + self.state } }
}
pub use SizeSeen as SizeSeenOther;
pub struct Stack<T>(pub Vec<T>);
impl Stack<i32> {
    pub fn new() -> Self { Stack(Vec::new()) }
    pub fn push(&mut self, item: i32) { self.0.push(item); }
    pub fn pop(&mut self) -> Option<i32> { self.0.pop() }
    pub fn peek(&self) -> Option<&i32> { self.0.last() }
    pub fn len(&self) -> SizeSeenOther { SizeSeen { state: 0 } }
    pub fn is_empty(&self) -> bool { self.0.is_empty() }
    pub fn iter(&self) -> impl Iterator<Item = &i32> { self.0.iter().rev() }
}
