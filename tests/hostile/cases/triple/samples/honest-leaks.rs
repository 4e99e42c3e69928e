//! attempts: nothing; it leaks memory and never cares
//! must: correct

pub fn triple(x: i64) -> i64 {
    let leaked: &'static mut Vec<i64> = Box::leak(Box::new(vec![x; 3]));
    std::mem::forget(vec![0u8; 1 << 16]);
    leaked.iter().sum()
}
