// wrong: keeps each successor once but counts repeated edges, so the node never becomes ready.
use std::collections::{BTreeSet, HashSet};

pub fn topological_order(node_count: usize, edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut successors: Vec<HashSet<usize>> = vec![HashSet::new(); node_count];
    let mut in_degree = vec![0usize; node_count];
    for &(a, b) in edges {
        successors[a].insert(b);
        in_degree[b] += 1;
    }
    let mut ready: BTreeSet<usize> = (0..node_count).filter(|&n| in_degree[n] == 0).collect();
    let mut order = Vec::with_capacity(node_count);
    while let Some(node) = ready.pop_first() {
        order.push(node);
        for &next in &successors[node] {
            in_degree[next] -= 1;
            if in_degree[next] == 0 {
                ready.insert(next);
            }
        }
    }
    (order.len() == node_count).then_some(order)
}
