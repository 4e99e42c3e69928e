// wrong: knows only insertions and removals, so a replacement costs 2.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut common = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..a.len() {
        for j in 0..b.len() {
            common[i + 1][j + 1] = if a[i] == b[j] {
                common[i][j] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    a.len() + b.len() - 2 * common[a.len()][b.len()]
}
