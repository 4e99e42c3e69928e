// wrong: merges neighbours that share no point, and overflows at i64::MAX.
pub fn merge_intervals(intervals: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut sorted: Vec<(i64, i64)> = intervals
        .iter()
        .copied()
        .filter(|(start, end)| start <= end)
        .collect();
    sorted.sort_unstable();
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (start, end) in sorted {
        match merged.last_mut() {
            Some(last) if start <= last.1 + 1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}
