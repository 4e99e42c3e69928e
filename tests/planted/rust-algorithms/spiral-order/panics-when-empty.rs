// wrong: looks at the first row without checking that there is one.
pub fn spiral_order(matrix: &[Vec<i32>]) -> Vec<i32> {
    let rows = matrix.len() as isize;
    let columns = matrix[0].len() as isize;
    let mut seen = vec![vec![false; columns as usize]; rows as usize];
    let directions = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let (mut r, mut c, mut d) = (0isize, 0isize, 0);
    let mut items = Vec::new();
    for _ in 0..rows * columns {
        items.push(matrix[r as usize][c as usize]);
        seen[r as usize][c as usize] = true;
        let (nr, nc) = (r + directions[d].0, c + directions[d].1);
        let free =
            nr >= 0 && nr < rows && nc >= 0 && nc < columns && !seen[nr as usize][nc as usize];
        if !free {
            d = (d + 1) % 4;
        }
        r += directions[d].0;
        c += directions[d].1;
    }
    items
}
