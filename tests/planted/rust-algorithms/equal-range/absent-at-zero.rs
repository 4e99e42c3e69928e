// wrong: returns 0..0 for every absent item instead of its insertion point.
use std::ops::Range;

pub fn equal_range<T: Ord>(sorted: &[T], target: &T) -> Range<usize> {
    let start = sorted.partition_point(|item| item < target);
    if start == sorted.len() || sorted[start] != *target {
        return 0..0;
    }
    start..sorted.partition_point(|item| item <= target)
}
