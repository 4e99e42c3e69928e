// wrong: takes the length of the first row for all rows, which panics or cuts off uneven ones.
use std::collections::{HashSet, VecDeque};

pub fn fewest_steps(grid: &[&str]) -> Option<usize> {
    let cells: Vec<Vec<char>> = grid.iter().map(|row| row.chars().collect()).collect();
    let rows = cells.len() as i32;
    let columns = cells.first()?.len() as i32;
    let find = |wanted: char| {
        cells.iter().enumerate().find_map(|(r, row)| {
            row.iter()
                .position(|&c| c == wanted)
                .map(|c| (r as i32, c as i32))
        })
    };
    let start = find('S')?;
    let end = find('E')?;
    let mut seen = HashSet::from([start]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some(((r, c), steps)) = queue.pop_front() {
        if (r, c) == end {
            return Some(steps);
        }
        for (dr, dc) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let (nr, nc) = (r + dr, c + dc);
            if nr < 0 || nc < 0 || nr >= rows || nc >= columns {
                continue;
            }
            if cells[nr as usize][nc as usize] != '#' && seen.insert((nr, nc)) {
                queue.push_back(((nr, nc), steps + 1));
            }
        }
    }
    None
}
