// wrong: does not check for a last single row or column and reads it twice.
pub fn spiral_order(matrix: &[Vec<i32>]) -> Vec<i32> {
    let mut result = Vec::new();
    if matrix.is_empty() || matrix[0].is_empty() {
        return result;
    }
    let (mut top, mut left) = (0i32, 0i32);
    let mut bottom = matrix.len() as i32 - 1;
    let mut right = matrix[0].len() as i32 - 1;
    while top <= bottom && left <= right {
        for c in left..=right {
            result.push(matrix[top as usize][c as usize]);
        }
        top += 1;
        for r in top..=bottom {
            result.push(matrix[r as usize][right as usize]);
        }
        right -= 1;
        for c in (left..=right).rev() {
            result.push(matrix[bottom as usize][c as usize]);
        }
        bottom -= 1;
        for r in (top..=bottom).rev() {
            result.push(matrix[r as usize][left as usize]);
        }
        left += 1;
    }
    result
}
