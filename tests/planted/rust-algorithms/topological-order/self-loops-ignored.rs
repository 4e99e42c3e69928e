// wrong: ignores edges from a node to itself.
use std::collections::BTreeSet;

pub fn topological_order(node_count: usize, edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut next = vec![vec![]; node_count];
    let mut degree = vec![0; node_count];
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        next[from].push(to);
        degree[to] += 1;
    }
    let mut ready: BTreeSet<usize> = (0..node_count).filter(|&n| degree[n] == 0).collect();
    let mut order = vec![];
    while let Some(node) = ready.pop_first() {
        order.push(node);
        for &to in &next[node] {
            degree[to] -= 1;
            if degree[to] == 0 {
                ready.insert(to);
            }
        }
    }
    if order.len() < node_count {
        return None;
    }
    Some(order)
}
