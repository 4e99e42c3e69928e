// wrong: takes the end of the later interval even if it lies inside the earlier one.
pub fn merge_intervals(intervals: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut sorted: Vec<(i64, i64)> = intervals.to_vec();
    sorted.retain(|&(start, end)| start <= end);
    sorted.sort();
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (start, end) in sorted {
        if let Some(last) = merged.last_mut() {
            if start <= last.1 {
                last.1 = end;
                continue;
            }
        }
        merged.push((start, end));
    }
    merged
}
