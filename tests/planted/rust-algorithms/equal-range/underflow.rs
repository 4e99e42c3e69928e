// wrong: uses an inclusive upper bound that underflows when the target is below all items.
use std::ops::Range;

pub fn equal_range<T: Ord>(sorted: &[T], target: &T) -> Range<usize> {
    if sorted.is_empty() {
        return 0..0;
    }
    let mut low = 0;
    let mut high = sorted.len() - 1;
    while low <= high {
        let mid = low + (high - low) / 2;
        if sorted[mid] < *target {
            low = mid + 1;
        } else {
            high = mid - 1;
        }
    }
    let start = low;
    let mut high = sorted.len();
    while low < high {
        let mid = low + (high - low) / 2;
        if sorted[mid] <= *target {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    start..low
}
