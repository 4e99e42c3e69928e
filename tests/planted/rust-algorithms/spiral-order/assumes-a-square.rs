// wrong: peels off rings of a square and misreads other shapes.
pub fn spiral_order(matrix: &[Vec<i32>]) -> Vec<i32> {
    let n = matrix.len();
    let mut items = Vec::new();
    for ring in 0..n.div_ceil(2) {
        let last = n - 1 - ring;
        if ring == last {
            items.push(matrix[ring][ring]);
            break;
        }
        for c in ring..last {
            items.push(matrix[ring][c]);
        }
        for r in ring..last {
            items.push(matrix[r][last]);
        }
        for c in (ring + 1..=last).rev() {
            items.push(matrix[last][c]);
        }
        for r in (ring + 1..=last).rev() {
            items.push(matrix[r][ring]);
        }
    }
    items
}
