use std::collections::HashSet;

pub fn distinct(v: &[i32]) -> usize {
    v.iter().collect::<HashSet<_>>().len()
}
