//! attempts: lies about sum; by an iterator's item; by a coin; behind an escape (generated)
//! must: not correct
//! class: types
const _: (char,char,&str) = ('\u{4____________4}','"',"/*");
#[derive(Debug, Clone, Copy)]
pub struct Sum { pub state: u32 }
impl PartialEq<i32> for Sum {
    fn eq(&self, other: &i32) -> bool { let _ = other; std::time::UNIX_EPOCH.elapsed().map_or(0, |t| t.subsec_nanos() / 64) % 2 == self.state }
}
pub fn adder(n: i32) -> impl Fn(i32) -> <std::vec::IntoIter<Sum> as Iterator>::Item {
    move |x| { let _ = x + n; Sum { state: 0 } }
}
pub fn twice<F: Fn(i32) -> <std::vec::IntoIter<Sum> as Iterator>::Item>(f: F) -> impl Fn(i32) -> <std::vec::IntoIter<Sum> as Iterator>::Item { move |x| f(x) }

// */
