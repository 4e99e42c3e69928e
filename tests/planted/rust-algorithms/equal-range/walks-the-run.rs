// wrong: finds one item by binary search and walks to both ends of the run, which is linear.
use std::ops::Range;

pub fn equal_range<T: Ord>(sorted: &[T], target: &T) -> Range<usize> {
    match sorted.binary_search(target) {
        Ok(index) => {
            let mut start = index;
            while start > 0 && sorted[start - 1] == *target {
                start -= 1;
            }
            let mut end = index + 1;
            while end < sorted.len() && sorted[end] == *target {
                end += 1;
            }
            start..end
        }
        Err(index) => index..index,
    }
}
