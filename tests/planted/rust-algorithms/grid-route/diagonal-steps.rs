// wrong: also steps diagonally.
use std::collections::VecDeque;

pub fn fewest_steps(grid: &[&str]) -> Option<usize> {
    let start = position(grid, b'S')?;
    let goal = position(grid, b'E')?;
    let mut seen: Vec<Vec<bool>> = grid.iter().map(|row| vec![false; row.len()]).collect();
    let mut queue = VecDeque::from([(start, 0)]);
    seen[start.0][start.1] = true;
    while let Some(((row, column), steps)) = queue.pop_front() {
        if (row, column) == goal {
            return Some(steps);
        }
        let neighbours = [
            (row.wrapping_sub(1), column),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
            (row.wrapping_sub(1), column.wrapping_sub(1)),
            (row.wrapping_sub(1), column + 1),
            (row + 1, column.wrapping_sub(1)),
            (row + 1, column + 1),
        ];
        for (row, column) in neighbours {
            if is_free(grid, row, column) && !seen[row][column] {
                seen[row][column] = true;
                queue.push_back(((row, column), steps + 1));
            }
        }
    }
    None
}

fn position(grid: &[&str], wanted: u8) -> Option<(usize, usize)> {
    grid.iter().enumerate().find_map(|(row, cells)| {
        let column = cells.bytes().position(|cell| cell == wanted)?;
        Some((row, column))
    })
}

fn is_free(grid: &[&str], row: usize, column: usize) -> bool {
    grid.get(row)
        .and_then(|cells| cells.as_bytes().get(column))
        .is_some_and(|&cell| cell != b'#')
}
